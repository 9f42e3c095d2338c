import ThreeDSIssuer

/// A card in JSON and in tables.
struct ShownCard: Encodable {
    let reference: String
    let lastFour: String
    let account: String
    let isBlocked: Bool

    init(_ card: Card) {
        (reference, lastFour) = (card.reference.text, card.lastFour)
        (account, isBlocked) = (card.account.description, card.isBlocked)
    }

    static let heading = ["REFERENCE", "LAST FOUR", "STATE", "ACCOUNT"]

    var columns: [String] { [reference, lastFour, isBlocked ? "blocked" : "active", account] }
}
