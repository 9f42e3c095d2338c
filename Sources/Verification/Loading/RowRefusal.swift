package import OneTimePasswordFormats

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
