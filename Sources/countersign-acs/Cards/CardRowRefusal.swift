import ThreeDSIssuer

/// Why a row of a file with cards is skipped.
enum CardRowRefusal: Error, Equatable {
    case malformedRow
    case tooLongRow
    case quotedField
    case malformedAccount
    case card(CardRefusal)

    var reason: String {
        switch self {
        case .malformedRow: "the row must be CARD,ACCOUNT"
        case .tooLongRow: "the row is too long"
        case .quotedField: "the fields must not have quotation marks"
        case .malformedAccount: "the account must be \(CardAccount.expectation)"
        case .card(let refusal): refusal.reason
        }
    }
}
