import TransactionApproval

/// A change of the connection that carries notifications.
public enum ConnectionChange: Equatable, Sendable {
    /// A verifier does not send notifications, for this reason; connecting is retried.
    case lost(ErrorCode)
    /// All verifiers send notifications again, except those of ended accounts.
    case restored
    /// The verifier no longer accepts this device for the account: it no longer sends notifications,
    /// and the account needs a new activation.
    case ended(Account)
}
