import Cryptography
import TransactionApproval
import Verification

extension BankRoute {
    static let codes = [
        BankRoute(
            calling: ofAccount + "/devices/{device}/codes",
            .codes,
            with: CodeSubmission.self,
            verifyCode
        ),
        BankRoute(
            calling: ofAccount + "/logins/{login}/redemption",
            .codes,
            with: RedemptionContent.self,
            redeemLogin
        ),
    ]

    private static func verifyCode(
        _ request: BankRequest,
        _ submitted: CodeSubmission,
        _ call: BankCall
    ) async throws(Verifier.Failure) -> BankResponse {
        guard let device = DeviceID(request.text(.device)) else { return .notFound }
        let answer = try await request.verifier.verify(
            typed: submitted.code,
            over: submitted.data?.wireBytes,
            TypedSubmission(call: call, device: device, account: request.account),
            by: request.actor
        )
        return BankResponse(answer)
    }

    private static func redeemLogin(
        _ request: BankRequest,
        _ content: RedemptionContent,
        _ call: BankCall
    ) async throws(Verifier.Failure) -> BankResponse {
        let redemption = try await request.verifier.redeemLogin(
            request.login,
            of: request.account,
            over: content.dataDigest.array,
            call: call,
            by: request.actor
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
    init(_ answer: AttemptResult) {
        self =
            switch answer {
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
