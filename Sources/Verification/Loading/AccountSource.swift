package import Cryptography
import TransactionApproval

/// A sequence of accounts from another system.
package protocol AccountSource: AnyObject {
    /// The bytes that were read, and the total.
    var progress: (read: Int, of: Int) { get }

    /// A digest of the content that all rows depend on. With `withLine`, it identifies the source.
    var heading: Digest { get }

    /// Moves to the next row; returns its line number, from 1, or nil at the end.
    func advance() throws(LoadFailure) -> UInt64?

    /// Lends the raw line. Callers must not copy it, because it contains a secret.
    func withLine<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result

    /// The parsed row.
    func row() throws(LoadFailure) -> Result<AccountRow, RowRefusal>
}

/// An account to create, with its person's token.
package struct AccountRow: Sendable {
    package let account: AccountReference
    /// Accounts with the same person are linked.
    package let person: PersonID?
    package let token: Token?
}
