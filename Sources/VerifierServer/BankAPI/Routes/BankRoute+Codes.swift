import BankIntegration
import Cryptography
import StrictJSON
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
        guard let device else { return .notFound(.device) }
        let result = try await verifier.verify(
            typed: submitted.code,
            over: submitted.data,
            TypedSubmission(call: call, device: device, account: account),
            by: author
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
            by: author
        )
        return switch redemption {
        case .redeemed(let grant): .ok(LoginResource(grant))
        case .repeated(let grant): .repeated(.ok(LoginResource(grant)))
        case .refused(.expired): .refused(.own(.loginExpired))
        case .refused(.redeemedBefore): .refused(.own(.loginRedeemed))
        case .refused(.otherData): .refused(.own(.dataMismatch))
        case .refused(.deviceNotActive): .refused(.own(.deviceNotActive))
        case .unknown: .notFound(.login)
        case .testAccountForbidden: .refused(.own(.testAccountForbidden))
        case .keyReused: .refused(.own(.idempotencyKeyReused))
        }
    }
}

extension BankResponse {
    /// For typed codes.
    init(_ attempt: JudgedAttempt) {
        let response = BankResponse(attempt.result)
        self = attempt.isRepeated ? .repeated(response) : response
    }

    private init(_ result: AttemptResult) {
        self =
            switch result {
            case .accepted: .noContent
            case .refused(.attemptReused): .refused(.own(.idempotencyKeyReused))
            case .refused(.codeUsed): .refused(.own(.codeUsed))
            case .refused(.counterUnconfirmed): .refused(.own(.counterUnconfirmed))
            case .refused(let refusal):
                .refused(Problem(refusal).map { .catalogued($0) } ?? .own(.credentialOutdated))
            }
    }
}

/// A typed code; each submission is charged.
struct CodeSubmission: RequestContent {
    let code: String
    /// The data that the code covers, besides its counter.
    let data: [UInt8]?

    init?(_ value: CheckedValue) {
        guard let members = value.object(["code", "data"]) else { return nil }
        data = members.optional("data")?.base64URL()
        guard let code = members.required("code")?.hidden().string() else { return nil }
        self.code = code
    }
}

struct RedemptionContent: RequestContent {
    /// The SHA-256 digest of the data that the device signed, which includes the bank's challenge.
    let dataDigest: Digest

    init?(_ value: CheckedValue) {
        let members = value.object(["dataDigest"])
        guard let member = members?.required("dataDigest"), let bytes = member.base64URL() else {
            return nil
        }
        guard let digest = Digest(wireBytes: bytes) else {
            member.violates(.badDigest, "Must be the 32 bytes of a SHA-256 digest.")
            return nil
        }
        dataDigest = digest
    }
}

extension CheckedValue {
    fileprivate func base64URL() -> [UInt8]? {
        guard let text = string() else { return nil }
        // The position does not matter: `try?`.
        if let bytes = try? TextEncoding.base64URL.decode(text) { return bytes }
        violates(.badBase64URL, "Must be base64url without padding (RFC 4648, section 5).")
        return nil
    }
}

extension Violation.Rule {
    fileprivate static let badBase64URL = Self(rawValue: "badBase64URL")
    fileprivate static let badDigest = Self(rawValue: "badDigest")
}

struct LoginResource: Encodable, Sendable {
    let id: TransactionID
    let account: AccountKey
    let device: DeviceID
    let authentication: AuthenticationType
    let granted: DateTime
    let redeemed: DateTime?

    init(_ grant: LoginGrant) {
        id = grant.id
        account = grant.account.key
        device = grant.device
        authentication = grant.type
        granted = DateTime(grant.granted)
        redeemed = grant.redeemed.map { DateTime($0) }
    }
}
