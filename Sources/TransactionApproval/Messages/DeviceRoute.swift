/// Everything that a device can ask of a verifier, by its path: the one table of both.
///
/// No path has a variable part. An id in a path is text that each proxy on the way may normalise,
/// log and cache; in the body it is signed, and read strictly.
package enum DeviceRoute: String, CaseIterable, Sendable {
    case activationClaim = "/device/v1/activation/claim"
    case activationCommit = "/device/v1/activation/commit"
    case status = "/device/v1/status"
    case transactionList = "/device/v1/transactions"
    case transaction = "/device/v1/transaction"
    case decision = "/device/v1/decision"
    case login = "/device/v1/login"
    case pinCheck = "/device/v1/pin-check"
    case rekey = "/device/v1/rekey"
    case biometricRemoval = "/device/v1/biometric/removal"
    case push = "/device/v1/push"
    case events = "/device/v1/events"
    case deletion = "/device/v1/deletion"

    /// For all of them: no cache keeps an answer, and every request has a body that its signature
    /// covers.
    package static let method = "POST"

    /// Of every message but problems.
    package static let contentType = "application/json"

    package var path: String { rawValue }

    package var exchange: any DeviceExchange.Type {
        switch self {
        case .activationClaim: ActivationClaimExchange.self
        case .activationCommit: ActivationCommitExchange.self
        case .status: StatusExchange.self
        case .transactionList: TransactionListExchange.self
        case .transaction: TransactionExchange.self
        case .decision: DecisionExchange.self
        case .login: LoginExchange.self
        case .pinCheck: PINCheckExchange.self
        case .rekey: RekeyExchange.self
        case .biometricRemoval: BiometricRemovalExchange.self
        case .push: PushExchange.self
        case .events: EventsExchange.self
        case .deletion: DeletionExchange.self
        }
    }
}
