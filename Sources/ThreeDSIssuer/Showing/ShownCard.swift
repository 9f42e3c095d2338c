/// A card for operators and for the issuer's programs.
package struct ShownCard: Encodable, Sendable {
    package let reference: String
    package let lastFour: String
    package let account: String
    package let isBlocked: Bool

    package init(_ card: Card) {
        (reference, lastFour) = (card.reference.text, card.lastFour)
        (account, isBlocked) = (card.account.description, card.isBlocked)
    }
}
