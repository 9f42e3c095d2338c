import BankIntegration
import StrictJSON
import TransactionApproval

/// The reason why the bank API rejects a request: a problem of the shared catalogue, or one of its
/// own.
enum BankProblem: Equatable, Sendable {
    case catalogued(Problem)
    case own(BankErrorCode)
    /// With the rules that the content breaks.
    case content(BankErrorCode, [Violation])
    /// With the rules that parameters break.
    case query([Violation])
    case notFound(BankResource)
    /// With the time until the first pending transaction expires.
    case tooManyPending(retryAfterSeconds: UInt32)

    var status: Int {
        switch self {
        case .catalogued(let problem): problem.status
        case .own(let code), .content(let code, _): code.status
        case .query: BankErrorCode.invalidQuery.status
        case .notFound: BankErrorCode.notFound.status
        case .tooManyPending: BankErrorCode.tooManyPending.status
        }
    }

    var code: String {
        switch self {
        case .catalogued(let problem): problem.code.rawValue
        case .own(let code), .content(let code, _): code.rawValue
        case .query: BankErrorCode.invalidQuery.rawValue
        case .notFound: BankErrorCode.notFound.rawValue
        case .tooManyPending: BankErrorCode.tooManyPending.rawValue
        }
    }
}

/// The missing thing of a 404.
///
/// Programs of banks depend on the raw values.
package enum BankResource: String, CaseIterable, Sendable {
    case path, enterprise, account, activation, device, credential, transaction, login, delivery

    /// For developers of the bank's programs.
    var title: String {
        switch self {
        case .path: "This API has no such path."
        case .enterprise: "The enterprise does not exist, or the token is not valid for it."
        case .account: "The enterprise has no such account."
        case .activation: "The account has no such open activation."
        case .device: "The account has no such device."
        case .credential: "The device has no such credential."
        case .transaction: "The account has no such transaction."
        case .login: "The account has no such login."
        case .delivery: "The enterprise has no such delivery that can be retried."
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
    case confirmationUnknown
    case confirmationBySameToken
    case confirmationOfOtherCall
    case confirmationUsed
    case confirmationExpired
    case confirmationRequesterInvalid

    // The resource
    case enterpriseExists
    case accountExists
    case testAccountForbidden
    case mixedTestAccounts
    case accountReplaced
    case webDevicesNotServed
    case tooManyDevices
    case noActiveDevice
    case tooManyPending
    case policyForbids
    case loginExpired
    case loginRedeemed
    case dataMismatch
    case deviceNotActive
    case codeUsed
    case transactionUndecided
    case evidenceUnavailable
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
        case .enterpriseExists, .accountExists, .accountReplaced, .testAccountForbidden,
            .mixedTestAccounts, .webDevicesNotServed, .tooManyDevices, .noActiveDevice,
            .loginRedeemed, .dataMismatch, .deviceNotActive, .codeUsed, .transactionUndecided,
            .evidenceUnavailable, .counterUnconfirmed, .credentialOutdated:
            409
        case .loginExpired: 410
        case .confirmationUnknown, .confirmationBySameToken, .confirmationOfOtherCall,
            .confirmationUsed, .confirmationExpired, .confirmationRequesterInvalid:
            412
        case .contentTooLarge: 413
        case .unsupportedContentType: 415
        case .invalidContent, .idempotencyKeyReused, .policyForbids: 422
        case .tooManyPending: 429
        }
    }

    /// For developers and operators of the bank's programs.
    var title: String {
        switch self {
        case .notFound: "The resource does not exist; resource names it."
        case .methodNotAllowed:
            "The path does not support this method; Allow lists the supported methods."
        case .invalidQuery: "The query breaks rules; errors names each parameter and its rule."
        case .contentTooLarge: "The content exceeds the size limit."
        case .unsupportedContentType: "The content must be application/json."
        case .malformedContent:
            "The content is not valid JSON. Repeated names are not allowed, and nesting is limited."
        case .invalidContent: "The content breaks rules; errors names each member and its rule."
        case .idempotencyKeyMissing:
            "Idempotency-Key is required: 1 to 64 letters, digits, dots, underscores and hyphens."
        case .idempotencyKeyReused: "This Idempotency-Key was used before with another request."
        case .unauthorized: "A valid token is required: Authorization: Bearer TOKEN."
        case .scopeMissing: "The role of this token does not include the scope of this operation."
        case .confirmationUnknown:
            "The enterprise has no requested call with the id in the header Confirms."
        case .confirmationBySameToken:
            "This token requested the call; another token must confirm it."
        case .confirmationOfOtherCall:
            "Method, path and content must equal those of the requested call."
        case .confirmationUsed:
            "The requested call was already confirmed; it had its effect or was refused."
        case .confirmationExpired: "The requested call expired; it must be requested again."
        case .confirmationRequesterInvalid:
            "The token that requested the call has expired or was revoked."
        case .enterpriseExists: "An enterprise with this name exists and has another policy."
        case .accountExists: "An account with this name exists; it has another value of test."
        case .testAccountForbidden: "The policy of the enterprise does not allow test accounts."
        case .mixedTestAccounts: "One account is a test account, and the other is not."
        case .accountReplaced: "This account was replaced by another account."
        case .webDevicesNotServed:
            "This verifier serves no page for web devices; add server.web to its configuration."
        case .tooManyDevices: "An account would have more devices than the policy allows."
        case .noActiveDevice: "The account has no active device; issue an activation first."
        case .tooManyPending: "The person already has the maximum number of pending transactions."
        case .policyForbids:
            "The policy of the enterprise does not allow this; errors names each member."
        case .loginExpired:
            "The login expired before it was redeemed; the person must log in again."
        case .loginRedeemed: "The login was already redeemed; each login can be redeemed once."
        case .dataMismatch: "The person confirmed other data."
        case .deviceNotActive:
            "The device that confirmed the login has been revoked or suspended since."
        case .codeUsed: "The code was used before; the person must read a new one."
        case .transactionUndecided: "No device has approved or rejected the transaction."
        case .evidenceUnavailable:
            "The journal of this verifier began after the decision or after the enrolment of its "
                + "device."
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
        case type, title, status, code, resource, lock, retryAfterSeconds, waitsUntil, errors
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .catalogued(.credentialLocked(let end)):
            // The device protocol writes times in another form.
            let code = ErrorCode.credentialLocked
            try Self.encode(code.rawValue, code.supportSentence, status, in: &members)
            try members.encode(LockResource(end), forKey: .lock)
        case .catalogued(.deviceWaiting(let end)):
            let code = ErrorCode.deviceWaiting
            try Self.encode(code.rawValue, code.supportSentence, status, in: &members)
            try members.encode(DateTime(end), forKey: .waitsUntil)
        case .catalogued(let problem):
            try problem.encode(to: encoder)
            try members.encode(self.code, forKey: .code)
        case .own(let code):
            try Self.encode(code, in: &members)
        case .content(let code, let violations):
            try Self.encode(code, in: &members)
            try members.encode(violations.map { ProblemError(ofContent: $0) }, forKey: .errors)
        case .query(let violations):
            try Self.encode(.invalidQuery, in: &members)
            try members.encode(violations.map { ProblemError(ofQuery: $0) }, forKey: .errors)
        case .notFound(let resource):
            try Self.encode(.notFound, title: resource.title, in: &members)
            try members.encode(resource.rawValue, forKey: .resource)
        case .tooManyPending(let seconds):
            try Self.encode(.tooManyPending, in: &members)
            try members.encode(seconds, forKey: .retryAfterSeconds)
        }
    }

    private static func encode(
        _ code: BankErrorCode,
        title: String? = nil,
        in members: inout KeyedEncodingContainer<CodingKeys>
    ) throws {
        try encode(code.rawValue, title ?? code.title, code.status, in: &members)
    }

    private static func encode(
        _ code: String,
        _ title: String,
        _ status: Int,
        in members: inout KeyedEncodingContainer<CodingKeys>
    ) throws {
        try members.encode(Problem.namespace + code, forKey: .type)
        try members.encode(title, forKey: .title)
        try members.encode(status, forKey: .status)
        try members.encode(code, forKey: .code)
    }
}

extension BankProblem {
    /// For content that is not JSON, or breaks the rules for all JSON.
    init(_ failure: StrictJSON.Failure) {
        self =
            switch failure {
            case .malformed(.tooLarge, _): .own(.contentTooLarge)
            case .malformed, .mismatch: .own(.malformedContent)
            }
    }

    init(_ refusal: ContentRefusal) {
        self =
            switch refusal {
            case .unsupportedType: .own(.unsupportedContentType)
            case .malformed(let failure): BankProblem(failure)
            case .invalid(let violations): .content(.invalidContent, violations)
            }
    }
}
