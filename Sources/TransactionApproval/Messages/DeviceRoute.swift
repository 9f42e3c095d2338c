/// The routes of the device API.
///
/// No path contains an id: proxies normalize, log and cache paths, but the body is signed and
/// parsed strictly.
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
    case accountChanges = "/device/v1/account/changes"

    /// Caches store no response to `POST`, and each request has a signed body.
    package static let method = "POST"

    /// For all messages except problems.
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
        case .accountChanges: AccountChangesExchange.self
        }
    }
}
