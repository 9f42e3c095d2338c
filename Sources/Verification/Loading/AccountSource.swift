package import Cryptography
package import OneTimePassword
import TransactionApproval

/// Accounts that somebody else kept until now, one after the other.
package protocol AccountSource: AnyObject {
    /// How far it was read, and how far it goes, in bytes.
    var progress: (read: Int, of: Int) { get }

    /// A digest of what all rows depend on: with `withLine`, it tells this source from every other.
    var heading: Digest { get }

    /// Goes to the next row; gives the line that it is in, from 1 on, or nil at the end.
    func advance() throws(LoadFailure) -> UInt64?

    /// Lends the line as it stands there, of which nothing may be kept: a secret is in it.
    func withLine<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result

    /// What the row says.
    func row() throws(LoadFailure) -> Result<AccountRow, RowRejection>
}

/// One account that is to be there, and the token that its person has.
package struct AccountRow: Sendable {
    package let account: AccountReference
    /// Accounts that say the same here are one person's.
    package let person: PersonID?
    package let token: Token?

    package init(account: AccountReference, person: PersonID? = nil, token: Token? = nil) {
        self.account = account
        self.person = person
        self.token = token
    }
}

/// Why one row is left out; it holds nothing of what stands in it.
package enum RowRejection: Error, Equatable, Sendable {
    // What it says makes no sense.
    case quoting
    case notText
    case fieldCount(Int, expected: Int)
    case enterprise, accountType, accountID
    /// A token without a secret or a serial number, or something of one without it.
    case incompleteToken
    case serial, secret, algorithm, digits, counter
    case secretTooShort(byteCount: Int)
    case secretTooLong
    /// A time-based token: only what counts is taken.
    case timeBased
    /// It may be used until some date, or so many times, which nobody here would look at.
    case limitedUse
    /// What PSKC says of the key makes it unfit.
    case key(ImportedKey.Refusal)

    // What is there forbids it.
    case unknownEnterprise
    case accountExists
    /// The account is there, and not this person's.
    case otherPerson
    case token(TokenRefusal)
}

/// Why nothing more is loaded.
package enum LoadFailure: Error, Equatable, Sendable {
    case file(StoreFailure)
    case machine(SystemFailure)
    case verifier(Verifier.Failure)
    case header(HeaderFault)
    case lineTooLong
    /// What a PSKC document is to be unlocked by.
    case key(KeyFile.Failure)
    case document(PSKCDocument.ReadingFailure)
    case documentTooLarge
    /// No package of the document has a key in it.
    case noKeys
    /// What was loaded under this name before began otherwise.
    case differentFile
    /// Somebody else loads under the same name now.
    case inUse

    package enum HeaderFault: Equatable, Sendable {
        case absent
        case quoting
        case unknownColumn(Int)
        case repeatedColumn(String)
        case missingColumn(String)
        /// There is one column for a secret, in hexadecimal or base32.
        case twoSecrets
    }

    init(_ failure: CryptographyFailure) {
        self = .machine(SystemFailure(failure))
    }
}
