import Cryptography
import TransactionApproval
import Verification

extension BankRoute {
    static let codes = [
        BankRoute(calling: ofAccount + "/devices/{device}/codes", .codes, BankRequest.verifyCode),
        BankRoute(
            calling: ofAccount + "/logins/{login}/redemption",
            .codes,
            BankRequest.redeemLogin
        ),
    ]
}

extension BankRequest {
    fileprivate func verifyCode(
        _ submitted: CodeSubmission,
        _ call: BankCall
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let device else { return .notFound }
        let result = try await verifier.verify(
            typed: submitted.code,
            over: submitted.data?.wireBytes,
            TypedSubmission(call: call, device: device, account: account),
            by: actor
        )
        return BankResponse(result)
    }

    fileprivate func redeemLogin(
        _ content: RedemptionContent,
        _ call: BankCall
    ) async throws(Verifier.Failure) -> BankResponse {
        let redemption = try await verifier.redeemLogin(
            login,
            of: account,
            over: content.dataDigest.array,
            call: call,
            by: actor
        )
        return switch redemption {
        case .redeemed(let grant): .ok(LoginResource(grant))
        case .refused(.expired): .refused(.own(.loginExpired))
        case .refused(.redeemedBefore): .refused(.own(.loginRedeemed))
        case .refused(.otherData): .refused(.own(.dataMismatch))
        case .refused(.deviceNotActive): .refused(.own(.deviceNotActive))
        case .unknown: .notFound
        case .keyReused: .refused(.own(.idempotencyKeyReused))
        }
    }
}

extension BankResponse {
    /// For typed codes.
    init(_ result: AttemptResult) {
        self =
            switch result {
            case .accepted: .noContent
            case .refused(.attemptReused): .refused(.own(.idempotencyKeyReused))
            case .refused(.counterUnconfirmed): .refused(.own(.counterUnconfirmed))
            case .refused(let refusal):
                .refused(Problem(refusal).map { .catalogued($0) } ?? .own(.credentialOutdated))
            }
    }
}

/// A typed code; each submission is charged.
struct CodeSubmission: Decodable, Sendable {
    let code: String
    /// The data that the code covers, besides its counter.
    let data: SignedData?
}

/// Base64url without padding.
struct SignedData: BinaryMember, Sendable {
    let wireBytes: [UInt8]
}

struct RedemptionContent: Decodable, Sendable {
    /// The SHA-256 digest of the data that the device signed, which includes the bank's challenge.
    let dataDigest: Digest
}

struct LoginResource: Encodable, Sendable {
    let id: TransactionID
    let account: AccountKey
    let device: DeviceID
    let authentication: AuthenticationType
    let granted: Timestamp
    let redeemed: Timestamp?

    init(_ grant: LoginGrant) {
        id = grant.id
        account = grant.account.key
        device = grant.device
        authentication = grant.type
        granted = grant.granted
        redeemed = grant.redeemed
    }
}
