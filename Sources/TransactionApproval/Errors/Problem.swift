/// What a verifier refuses a device with: a code, and exactly what belongs to that code.
///
/// It is what a verifier can know. What goes wrong on the device has codes too, but never comes over
/// the network; a PIN's broken rule is among them, since no verifier sees a PIN (SEC-23).
package enum Problem: Equatable, Sendable {
    // Who asks
    /// No good signature of a device that is known here: the one answer to all strangers.
    case noAccountActivated
    case deviceRevoked
    case clockSkew(serverTime: Timestamp)
    case invalidArgument
    case rateLimited(retryAfterSeconds: UInt32)
    case serverUnavailable

    // Activation
    case accountAlreadyActivated
    case activationCodeInvalid
    case activationCodeExpired
    case activationAttemptsExhausted

    // Transactions
    case unknownTransaction
    case transactionExpired
    case transactionAlreadyDecided(FinalState)

    // Codes
    /// Wrong PIN, number, data or counter: these are told apart by nothing (SEC-45).
    case authenticationFailed(attemptsLeft: UInt8)
    case credentialLocked(LockEnd)
    case authenticationTypeNotAllowed
    /// The code was not looked at, being of another generation, epoch or counter than it can be.
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
        case .accountAlreadyActivated: .accountAlreadyActivated
        case .activationCodeInvalid: .activationCodeInvalid
        case .activationCodeExpired: .activationCodeExpired
        case .activationAttemptsExhausted: .activationAttemptsExhausted
        case .unknownTransaction: .unknownTransaction
        case .transactionExpired: .transactionExpired
        case .transactionAlreadyDecided: .transactionAlreadyDecided
        case .authenticationFailed: .authenticationFailed
        case .credentialLocked: .credentialLocked
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
            .authenticationTypeNotAllowed:
            403
        case .unknownTransaction: 404
        case .accountAlreadyActivated, .transactionAlreadyDecided, .counterOutOfStep: 409
        case .activationCodeExpired, .transactionExpired: 410
        case .credentialLocked: 423
        case .rateLimited, .activationAttemptsExhausted: 429
        case .serverUnavailable: 503
        }
    }
}
