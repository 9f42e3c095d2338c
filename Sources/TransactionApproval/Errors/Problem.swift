/// A refusal of the verifier: a code and its members.
///
/// Errors on the device have codes too, but are never sent. A broken PIN rule is one of them,
/// because the verifier never sees a PIN (SEC-23).
package enum Problem: Equatable, Sendable {
    // Device and request
    /// No valid signature of a known device: the same response for all of them.
    case noAccountActivated
    case deviceRevoked
    case clockSkew(serverTime: Timestamp)
    case invalidArgument
    case rateLimited(retryAfterSeconds: UInt32)
    case serverUnavailable
    /// The verifier no longer supports this version of the protocol.
    case upgradeRequired

    // Activation
    case accountAlreadyActivated
    case activationCodeInvalid
    case activationCodeExpired

    // Transactions
    case unknownTransaction
    case transactionExpired
    case transactionAlreadyDecided(FinalState)

    // Codes
    /// Wrong PIN, number, data and counter get the same response (SEC-45).
    case authenticationFailed(attemptsLeft: UInt8)
    case credentialLocked(LockEnd)
    /// The device is new, and approves nothing above a ceiling yet.
    case deviceWaiting(until: Timestamp)
    /// The transaction is above a ceiling of web devices.
    case amountAboveCeiling
    case authenticationTypeNotAllowed
    /// Generation, epoch or counter do not fit; the verifier did not check the code.
    case counterOutOfStep(CredentialPosition)
}

extension Problem {
    package var code: ErrorCode {
        switch self {
        case .noAccountActivated: .noAccountActivated
        case .deviceRevoked: .deviceRevoked
        case .clockSkew: .clockSkew
        case .invalidArgument: .invalidArgument
        case .rateLimited: .rateLimited
        case .serverUnavailable: .serverUnavailable
        case .upgradeRequired: .upgradeRequired
        case .accountAlreadyActivated: .accountAlreadyActivated
        case .activationCodeInvalid: .activationCodeInvalid
        case .activationCodeExpired: .activationCodeExpired
        case .unknownTransaction: .unknownTransaction
        case .transactionExpired: .transactionExpired
        case .transactionAlreadyDecided: .transactionAlreadyDecided
        case .authenticationFailed: .authenticationFailed
        case .credentialLocked: .credentialLocked
        case .deviceWaiting: .deviceWaiting
        case .amountAboveCeiling: .amountAboveCeiling
        case .authenticationTypeNotAllowed: .authenticationTypeNotAllowed
        case .counterOutOfStep: .counterOutOfStep
        }
    }

    /// The HTTP status (RFC 9110, section 15; 423 by RFC 4918, 429 by RFC 6585).
    package var status: Int {
        switch self {
        case .invalidArgument: 400
        case .noAccountActivated, .clockSkew: 401
        case .deviceRevoked, .activationCodeInvalid, .authenticationFailed,
            .authenticationTypeNotAllowed, .deviceWaiting, .amountAboveCeiling:
            403
        case .unknownTransaction: 404
        case .accountAlreadyActivated, .transactionAlreadyDecided, .counterOutOfStep: 409
        case .activationCodeExpired, .transactionExpired, .upgradeRequired: 410
        case .credentialLocked: 423
        case .rateLimited: 429
        case .serverUnavailable: 503
        }
    }
}
