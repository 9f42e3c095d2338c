public import TransactionApproval

/// A change of an account that the bank or another device made.
public struct AccountChange: Hashable, Sendable {
    public let account: Account
    public let kind: AccountChangeKind
    /// By the verifier's clock.
    public let moment: Timestamp
    /// The name of the device that it concerns; nil if it concerns none.
    public let deviceName: String?
}

/// The recent changes of all accounts.
public struct AccountChanges: Sendable {
    /// The newest first.
    public let changes: [AccountChange]
    /// Why the changes of an account are unknown; empty if they are known for all accounts.
    public let failures: [Account: AuthenticationError]
}
