package import Cryptography
package import OneTimePasswordFormats
package import PrivateFiles
package import Sealing
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

/// Why a row is skipped; it contains nothing of the row.
package enum RowRefusal: Error, Equatable, Sendable {
    // The row itself is invalid.
    case quoting
    case notText
    case fieldCount(Int, expected: Int)
    case enterprise, accountType, accountID
    /// A token without a secret or a serial number, or token details without a secret.
    case incompleteToken
    case serial, secret, algorithm, digits, counter
    case secretTooShort(byteCount: Int)
    case secretTooLong
    /// A time-based token; only counter-based tokens are supported.
    case timeBased
    /// The key has a usage limit or an expiry date, which the verifier does not check.
    case limitedUse
    /// The key's own description makes it unusable.
    case key(ImportedKey.Refusal)

    // The store does not allow the row.
    case unknownEnterprise
    case accountExists
    /// The account exists and belongs to another person.
    case otherPerson
    case token(TokenRefusal)
}

/// Why the load stops.
package enum LoadFailure: Error, Equatable, Sendable {
    case file(FileFailure)
    case machine(SystemFailure)
    case verifier(Verifier.Failure)
    case header(HeaderFailure)
    case lineTooLong
    /// The secret that decrypts a PSKC document cannot be read.
    case key(KeyFile.Failure)
    case document(PSKCDocument.ReadingFailure)
    case documentTooLarge
    case noKeys
    /// The earlier load of this name started with different rows.
    case differentFile
    /// Another process loads under the same name now.
    case inUse

    package enum HeaderFailure: Equatable, Sendable {
        case absent
        case quoting
        case unknownColumn(Int)
        case repeatedColumn(String)
        case missingColumn(String)
        /// A secret has one column, either in hexadecimal or in base32.
        case twoSecrets
    }
}
