import StrictJSON
import TransactionApproval

/// Why the bank's API does not do what it is asked: the catalogue's reason where that has one, and
/// one of its own where it has none.
enum BankProblem: Equatable, Sendable {
    case catalogued(Problem)
    /// With the JSON pointer (RFC 6901) of what breaks a rule, where that can be said; never with
    /// what stands there.
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

/// What only a bank can do wrong; the raw values are in the programs of banks, and none ever changes
/// or is used for anything else.
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

    // Who asks
    case unauthorized
    case scopeMissing

    // What there is
    case enterpriseExists
    case accountReplaced
    case tooManyDevices
    case noActiveDevice
    case tooManyPending
    case policyForbids
    case loginExpired
    case loginRedeemed
    case otherData
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
            .otherData, .deviceNotActive, .counterUnconfirmed, .credentialOutdated:
            409
        case .loginExpired: 410
        case .contentTooLarge: 413
        case .unsupportedContentType: 415
        case .invalidContent, .idempotencyKeyReused, .policyForbids: 422
        case .tooManyPending: 429
        }
    }

    /// For whoever writes or runs the bank's program.
    var sentence: String {
        switch self {
        case .notFound: "There is no such thing, or not for this token."
        case .methodNotAllowed: "This path does not take this method; Allow names those it takes."
        case .invalidQuery: "The query has a name or a value that this path does not take."
        case .contentTooLarge: "The content is larger than any that is taken here."
        case .unsupportedContentType: "The content must be application/json."
        case .malformedContent:
            "The content is not JSON as it is taken here: no repeated names, no null, no nesting "
                + "or size beyond the limits."
        case .invalidContent:
            "A member is missing, unknown, or not what it may be; pointer says which."
        case .idempotencyKeyMissing:
            "This needs an Idempotency-Key: 1 to 64 letters, digits, dots, lines and dashes."
        case .idempotencyKeyReused: "This Idempotency-Key came before, with another request."
        case .unauthorized: "A token that is good is needed in Authorization, after Bearer."
        case .scopeMissing: "The role of this token does not include this."
        case .enterpriseExists: "There is an enterprise of this name, with another policy."
        case .accountReplaced: "Another account took the place of this one."
        case .tooManyDevices: "One account would have more devices than the policy allows."
        case .noActiveDevice: "No device of the account could answer; it needs an activation."
        case .tooManyPending: "As many transactions wait for this person as the policy allows."
        case .policyForbids: "The enterprise's policy does not allow this; pointer says what of it."
        case .loginExpired: "The login was not redeemed in time; the person has to log in again."
        case .loginRedeemed: "The login was redeemed before, and is good once."
        case .otherData: "The person confirmed other data than these."
        case .deviceNotActive: "The device that confirmed it was revoked or blocked since."
        case .counterUnconfirmed:
            "Since a restore it is not known how far this device has counted: one confirmation in "
                + "the app tells, or two codes that somebody saw a token show."
        case .credentialOutdated:
            "Device and verifier have different secrets; a new activation brings them together."
        }
    }
}

// MARK: As a problem document (RFC 9457)

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
        try members.encode(code.sentence, forKey: .title)
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
