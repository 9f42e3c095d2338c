import TransactionApproval

/// A change of the connection that carries notifications.
public enum ConnectionChange: Equatable, Sendable {
    /// A verifier does not send notifications, for this reason; connecting is retried.
    case lost(ErrorCode)
    /// All verifiers send notifications again.
    case restored
}
