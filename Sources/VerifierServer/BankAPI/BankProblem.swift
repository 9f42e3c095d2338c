import StrictJSON
import TransactionApproval

/// The reason why the bank API rejects a request: a problem of the shared catalogue, or one of its
/// own.
enum BankProblem: Equatable, Sendable {
    case catalogued(Problem)
    /// With the JSON pointer (RFC 6901) of the invalid member if it is known, never with its value.
    case own(BankErrorCode, at: String? = nil)
    /// With the member of the transaction's content, its value and the rule that it breaks.
    case content(BankErrorCode, ContentFailure)

    var status: Int {
        switch self {
        case .catalogued(let problem): problem.status
        case .own(let code, _), .content(let code, _): code.status
        }
    }

    var code: String {
        switch self {
        case .catalogued(let problem): problem.code.rawValue
        case .own(let code, _), .content(let code, _): code.rawValue
        }
    }
}

/// The error codes of the bank API only.
///
/// Programs of banks depend on the raw values.
package enum BankErrorCode: String, CaseIterable, Sendable {
    // The request
    case notFound
    case methodNotAllowed
    case invalidQuery
    case contentTooLarge
    case unsupportedContentType
    case malformedContent
    case invalidContent
    case idempotencyKeyMissing
    case idempotencyKeyReused

    // The caller
    case unauthorized
    case scopeMissing

    // The resource
    case enterpriseExists
    case accountReplaced
    case tooManyDevices
    case noActiveDevice
    case tooManyPending
    case policyForbids
    case loginExpired
    case loginRedeemed
    case dataMismatch
    case deviceNotActive
    case counterUnconfirmed
    case credentialOutdated
}

extension BankErrorCode {
    /// The HTTP status (RFC 9110, section 15; 429 by RFC 6585).
    var status: Int {
        switch self {
        case .invalidQuery, .malformedContent, .idempotencyKeyMissing: 400
        case .unauthorized: 401
        case .scopeMissing: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .enterpriseExists, .accountReplaced, .tooManyDevices, .noActiveDevice, .loginRedeemed,
            .dataMismatch, .deviceNotActive, .counterUnconfirmed, .credentialOutdated:
            409
        case .loginExpired: 410
        case .contentTooLarge: 413
        case .unsupportedContentType: 415
        case .invalidContent, .idempotencyKeyReused, .policyForbids: 422
        case .tooManyPending: 429
        }
    }

    /// For developers and operators of the bank's programs.
    var title: String {
        switch self {
        case .notFound: "The resource does not exist, or the token is not valid for it."
        case .methodNotAllowed:
            "The path does not support this method; Allow lists the supported methods."
        case .invalidQuery: "A query parameter is unknown, repeated or not valid for this path."
        case .contentTooLarge: "The content exceeds the size limit."
        case .unsupportedContentType: "The content must be application/json."
        case .malformedContent:
            "The content is not valid JSON. Repeated names are not allowed, and nesting is limited."
        case .invalidContent:
            "A member is missing, unknown, null or not valid; pointer names it, or the object of an "
                + "unknown one."
        case .idempotencyKeyMissing:
            "Idempotency-Key is required: 1 to 64 letters, digits, dots, underscores and hyphens."
        case .idempotencyKeyReused: "This Idempotency-Key was used before with another request."
        case .unauthorized: "A valid token is required: Authorization: Bearer TOKEN."
        case .scopeMissing: "The role of this token does not include the scope of this operation."
        case .enterpriseExists: "An enterprise with this name exists and has another policy."
        case .accountReplaced: "This account was replaced by another account."
        case .tooManyDevices: "An account would have more devices than the policy allows."
        case .noActiveDevice: "The account has no active device; issue an activation first."
        case .tooManyPending: "The person already has the maximum number of pending transactions."
        case .policyForbids:
            "The policy of the enterprise does not allow this; pointer names the member."
        case .loginExpired:
            "The login expired before it was redeemed; the person must log in again."
        case .loginRedeemed: "The login was already redeemed; each login can be redeemed once."
        case .dataMismatch: "The person confirmed other data."
        case .deviceNotActive:
            "The device that confirmed the login has been revoked or suspended since."
        case .counterUnconfirmed:
            "The counter of this device is unknown since a restore. One approval or login with "
                + "the PIN, or two witnessed codes of a token, make it known."
        case .credentialOutdated:
            "The device and the verifier have different secrets; activate the device again."
        }
    }
}

// MARK: Problem details (RFC 9457)

extension BankProblem: Encodable {
    private enum CodingKeys: CodingKey {
        case type, title, status, code, pointer, value, rule
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .catalogued(let problem):
            try problem.encode(to: encoder)
            try members.encode(self.code, forKey: .code)
        case .own(let code, let pointer):
            try Self.encode(code, at: pointer, in: &members)
        case .content(let code, let failure):
            try Self.encode(code, at: failure.pointer, in: &members)
            try members.encodeIfPresent(failure.value, forKey: .value)
            try members.encode(failure.rule, forKey: .rule)
        }
    }

    private static func encode(
        _ code: BankErrorCode,
        at pointer: String?,
        in members: inout KeyedEncodingContainer<CodingKeys>
    ) throws {
        try members.encode(Problem.namespace + code.rawValue, forKey: .type)
        try members.encode(code.title, forKey: .title)
        try members.encode(code.status, forKey: .status)
        try members.encode(code.rawValue, forKey: .code)
        try members.encodeIfPresent(pointer, forKey: .pointer)
    }
}

extension BankProblem {
    init(_ failure: StrictJSON.Failure) {
        self =
            switch failure {
            case .malformed(.tooLarge, _): .own(.contentTooLarge)
            case .malformed: .own(.malformedContent)
            case .mismatch(_, let path): .own(.invalidContent, at: path)
            }
    }
}
