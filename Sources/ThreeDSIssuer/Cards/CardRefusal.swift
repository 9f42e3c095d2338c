package import Transactions

/// Why a card is not added; without any digit of its number.
package enum CardRefusal: Error, Equatable, Sendable {
    case malformedNumber
    case wrongCheckDigit
    case outsideRanges
    case otherEnterprise(configured: EnterpriseID)
    /// The type or the id of the account is a card number of this issuer.
    case numberAsAccount
    case otherAccount(CardReference)

    package var reason: String {
        switch self {
        case .malformedNumber: "the card number must have 13 to 19 digits, and nothing else"
        case .wrongCheckDigit: "the check digit of the card number is wrong"
        case .outsideRanges: "the card number is outside of all ranges of the configuration"
        case .otherEnterprise(let configured):
            "the account must be one of the enterprise \(configured)"
        case .numberAsAccount: "type and id of the account must not be a card number"
        case .otherAccount(let reference):
            "the card exists with another account, as \(reference)"
        }
    }
}
