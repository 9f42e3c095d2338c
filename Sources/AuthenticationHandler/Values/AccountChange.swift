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
