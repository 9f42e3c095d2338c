import ThreeDSIssuer
import Transactions

/// Why a card is not added; without any digit of its number.
enum CardRefusal: Error, Equatable {
    case malformedRow
    case malformedNumber
    case wrongCheckDigit
    case outsideRanges
    case malformedAccount
    case otherEnterprise(configured: EnterpriseID)
    case otherAccount(CardReference)

    var reason: String {
        switch self {
        case .malformedRow: "the row must be CARD,ACCOUNT"
        case .malformedNumber: "the card number must have 13 to 19 digits, and nothing else"
        case .wrongCheckDigit: "the check digit of the card number is wrong"
        case .outsideRanges: "the card number is outside of all ranges of the configuration"
        case .malformedAccount: "the account must be ENTERPRISE/TYPE/ID, such as bank/main/4711"
        case .otherEnterprise(let configured):
            "the account must be one of the enterprise \(configured)"
        case .otherAccount(let reference):
            "the card exists with another account, as \(reference)"
        }
    }

    var hint: String? {
        switch self {
        case .malformedRow, .malformedNumber, .malformedAccount: nil
        case .wrongCheckDigit:
            "check the number; for cards without a check digit, use --no-check-digit"
        case .outsideRanges: "check the number, and the ranges of the directories"
        case .otherEnterprise: "check the member enterprise of the configuration"
        case .otherAccount: "remove the card first: countersign-acs card remove"
        }
    }
}
