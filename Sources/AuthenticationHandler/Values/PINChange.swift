/// The result of a PIN change for one account.
public struct PINChange: Equatable, Sendable {
    public let account: Account
    /// Nil if the account now has the new PIN.
    public let failure: AuthenticationError?
}
