package import Storage
package import Transactions

/// Changes of cards in one transaction of the store, each with its audit record.
package struct CardRegister {
    private let cards: CardTable
    private let records: RecordTable
    private let origin: Origin
    private let now: Timestamp

    /// The side that changes a card.
    package enum Origin: String, Sendable {
        /// An operator, with a command.
        case command
        /// A program, by the issuer's API.
        case issuerAPI
    }

    init(_ cards: CardTable, _ records: RecordTable, by origin: Origin, at now: Timestamp) {
        (self.cards, self.records, self.origin, self.now) = (cards, records, origin, now)
    }

    package func add(_ new: NewCard) throws(StoreFailure) -> NewCard.Outcome {
        let outcome = try cards.add(new)
        if case .added = outcome { try record(.cardAdded, of: new.card.reference) }
        return outcome
    }

    /// Blocks or unblocks a card; nil if there is no such card.
    package func setBlocked(
        _ isBlocked: Bool,
        of reference: CardReference
    ) throws(StoreFailure) -> Card? {
        guard let stored = try cards.card(reference) else { return nil }
        guard stored.card.isBlocked != isBlocked else { return stored.card }
        let card = stored.card.blocked(isBlocked)
        try cards.replace(StoredCard(card, exempted: stored.exempted))
        try record(isBlocked ? .cardBlocked : .cardUnblocked, of: reference)
        return card
    }

    /// Returns false if there is no such card.
    package func remove(_ reference: CardReference) throws(StoreFailure) -> Bool {
        guard try cards.remove(reference) else { return false }
        try record(.cardRemoved, of: reference)
        return true
    }

    private func record(
        _ step: IssuerRecord.Step,
        of reference: CardReference
    ) throws(StoreFailure) {
        let details = [origin.rawValue]
        try records.add(
            IssuerRecord(time: now, subject: .card(reference), step: step, details: details)
        )
    }
}

extension IssuerStore {
    package func register(
        _ connection: any SQLConnection,
        by origin: CardRegister.Origin,
        at now: Timestamp
    ) -> CardRegister {
        CardRegister(cards(connection), records(connection), by: origin, at: now)
    }
}
