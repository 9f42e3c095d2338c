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

    /// A card whose digits and account follow the rules.
    package static func made(
        of digits: Span<UInt8>,
        _ account: CardAccount,
        by rules: CardRules,
        for store: IssuerStore
    ) throws(StoreFailure) -> Result<NewCard, CardRefusal> {
        let number: Result<CardNumber, CardRefusal>
        do throws(CryptographyFailure) {
            if let refusal = try rules.refusal(of: account) { return .failure(refusal) }
            number = try rules.number(digits)
        } catch {
            throw .system(SystemFailure(error))
        }
        switch number {
        case .failure(let refusal): return .failure(refusal)
        case .success(let number): return .success(try NewCard(number, account, for: store))
        }
    }

    package enum Outcome: Sendable {
        case added
        /// The store has the card with this number, and is not changed.
        case exists(Card)
    }
}

extension CardTable {
    func add(_ new: NewCard) throws(StoreFailure) -> NewCard.Outcome {
        if let stored = try card(withDigest: new.card.digest) { return .exists(stored.card) }
        // Another card has this random reference.
        guard try add(StoredCard(new.card)) else { throw .conflict }
        return .added
    }
}
