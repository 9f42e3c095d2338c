import Cryptography
package import Storage
package import ThreeDSProtocol

/// A card that is added to a store, under a random reference.
package struct NewCard: Sendable {
    package let card: Card

    /// Keeps no part of the number but its fingerprint.
    package init(
        _ number: CardNumber,
        _ account: CardAccount,
        for store: IssuerStore
    ) throws(StoreFailure) {
        do throws(CryptographyFailure) {
            let key = try store.secrets.cardKey()
            card = Card(try number.fingerprint(key), reference: try .random(), account: account)
        } catch {
            throw .system(SystemFailure(error))
        }
    }

    package enum Outcome: Sendable {
        case added
        /// The store has the card with this number, and is not changed.
        case exists(Card)
    }
}

extension CardTable {
    package func add(_ new: NewCard) throws(StoreFailure) -> NewCard.Outcome {
        if let stored = try card(withDigest: new.card.digest) { return .exists(stored.card) }
        // Another card has this random reference.
        guard try add(StoredCard(new.card)) else { throw .conflict }
        return .added
    }
}
