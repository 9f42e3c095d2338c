/// The result of a PIN change for one account.
public struct PINChange: Equatable, Sendable {
    public enum Outcome: Equatable, Sendable {
        /// The account has the new PIN.
        case changed
        /// The account still has the old PIN, for this reason.
        case failed(AuthenticationError)
        /// The account has the old PIN or the new PIN, for example after a lost response.
        ///
        /// The next `pendingTransaction()`, `profile(for:)` or login fetches the result.
        case unknown(AuthenticationError)
        /// The account still has the old PIN: the change stopped at an earlier account.
        case notTried
    }

    public let account: Account
    public let outcome: Outcome
}
