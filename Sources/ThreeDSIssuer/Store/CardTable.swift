package import Cryptography
package import Storage
import Transactions

/// A card with the payments that needed no approval since the last one.
package struct StoredCard: Equatable, Sendable {
    package var card: Card
    package var exempted: ExemptedPayments

    package init(_ card: Card, exempted: ExemptedPayments = .none) {
        self.card = card
        self.exempted = exempted
    }
}

/// The row of a card as it was read.
struct CardRow: Sendable {
    let stored: StoredCard
    /// Each write makes another one, because it has a random part.
    let content: SQLValue
}

/// The cards in one transaction of the store.
package struct CardTable {
    let connection: any SQLConnection
    let seal: RowSeal
    let secrets: IssuerSecrets

    /// Returns false if a card with this number exists.
    package func add(_ stored: StoredCard) throws(StoreFailure) -> Bool {
        try seal.checkNewestKey(on: connection)
        return try connection.run(.addCard, values(of: stored)) == 1
    }

    package func replace(_ stored: StoredCard) throws(StoreFailure) {
        try seal.checkNewestKey(on: connection)
        try connection.change(.replaceCard, values(of: stored))
    }

    /// Returns false if there is no such card.
    func remove(_ reference: CardReference) throws(StoreFailure) -> Bool {
        try connection.run(.removeCard, [.text(reference.text)]) == 1
    }

    package func card(_ reference: CardReference) throws(StoreFailure) -> StoredCard? {
        try card(connection.rows(.cardByReference, [.text(reference.text)]))
    }

    /// Nil for a card that was removed, and for one that cannot be read: a challenge has its result
    /// nevertheless.
    func readable(_ reference: CardReference?) throws(StoreFailure) -> StoredCard? {
        guard let reference else { return nil }
        do throws(StoreFailure) {
            return try card(reference)
        } catch {
            _ = try seal.unreadable(reference.text, after: error, on: connection)
            return nil
        }
    }

    package func card(withDigest digest: Digest) throws(StoreFailure) -> StoredCard? {
        try row(withDigest: digest)?.stored
    }

    /// A card as it is committed now.
    func row(withDigest digest: Digest) throws(StoreFailure) -> CardRow? {
        guard let row = try connection.rows(.cardByDigest, [.bytes(digest.array)]).first else {
            return nil
        }
        return CardRow(stored: try stored(row), content: try row[.sealed])
    }

    /// Whether the card is still as it was read.
    func has(_ row: CardRow) throws(StoreFailure) -> Bool {
        let values = [.text(row.stored.card.reference.text), row.content]
        return try !connection.rows(.unchangedCard, values).isEmpty
    }

    /// A page of all cards in the order of their references.
    package func cards(
        after reference: SQLValue?,
        limit: Int
    ) throws(StoreFailure) -> RowPage<StoredCard> {
        let rows = try rows(after: reference, limit: limit)
        return try RowPage(rows, "card", by: .reference, under: seal, on: connection) {
            row throws(StoreFailure) in
            try stored(row)
        }
    }

    /// The states of all cards, in the order of their references.
    func states(after reference: SQLValue?, limit: Int) throws(StoreFailure) -> RecordedStates.Page
    {
        try RecordedStates.Page(
            rows(after: reference, limit: limit),
            by: .reference,
            of: { CardReference($0).map { .card($0) } },
            under: seal,
            on: connection
        ) { row throws(StoreFailure) in
            try stored(row).recordedState
        }
    }

    private func rows(after reference: SQLValue?, limit: Int) throws(StoreFailure) -> [Row] {
        try connection.rows(.cards, after: reference.map { [$0] }, limit: limit)
    }

    /// A page of the cards of an account.
    package func cards(
        of account: CardAccount,
        after reference: SQLValue?,
        limit: Int
    ) throws(StoreFailure) -> RowPage<StoredCard> {
        let place = reference ?? .text("")
        let values = [try digest(of: account), place, .integer(Int64(limit))]
        let rows = try connection.rows(.cardsOfAccount, values)
        return try RowPage(rows, "card", by: .reference, under: seal, on: connection) {
            row throws(StoreFailure) in
            try stored(row)
        }
    }

    private func digest(of account: CardAccount) throws(StoreFailure) -> SQLValue {
        .bytes(try orStoreFailure(secrets.digest(of: account)))
    }

    private func card(_ rows: [Row]) throws(StoreFailure) -> StoredCard? {
        guard let row = rows.first else { return nil }
        return try stored(row)
    }

    private func values(of stored: StoredCard) throws(StoreFailure) -> NamedValues {
        let reference = stored.card.reference.text
        let columns: [SQLValue] = [
            .bytes(stored.card.digest.array), try digest(of: stored.card.account),
        ]
        return [
            .reference: .text(reference),
            .digest: columns[0],
            .account: columns[1],
            .sealed: try seal.sealed(Content(stored), for: .card(reference, columns)),
        ]
    }

    private func stored(_ row: Row) throws(StoreFailure) -> StoredCard {
        let (reference, digest) = (try row.text(.reference), try row.bytes(.digest))
        let content: Content = try seal.opened(
            row[.sealed],
            of: .card(reference, try row[Self.boundColumns])
        )
        guard let reference = CardReference(reference),
            let stored = content.stored(reference, Digest(copying: digest.span))
        else { throw .damaged }
        return stored
    }
}

extension StoredCard? {
    /// False without a card.
    var isActive: Bool { self?.card.isBlocked == false }
}

extension CardTable {
    /// The columns to which the content is bound, apart from the reference.
    static let boundColumns: [Column] = [.digest, .account]

    /// The sealed part of a row.
    fileprivate struct Content: Codable {
        let lastFour: String
        let account: String
        let isBlocked: Bool
        let exemptedCount: Int
        let exemptedUnits: UInt64?
        let exemptedCurrency: String?

        init(_ stored: StoredCard) {
            lastFour = stored.card.lastFour
            account = stored.card.account.description
            isBlocked = stored.card.isBlocked
            exemptedCount = stored.exempted.count
            exemptedUnits = stored.exempted.total?.minorUnits
            exemptedCurrency = stored.exempted.total?.currency.code
        }

        func stored(_ reference: CardReference, _ digest: Digest) -> StoredCard? {
            guard let account = CardAccount(account),
                let card = Card(
                    reference: reference,
                    digest: digest,
                    lastFour: lastFour,
                    account: account,
                    isBlocked: isBlocked
                )
            else { return nil }
            let total = exemptedUnits.flatMap { units in
                exemptedCurrency.flatMap { Currency($0) }.flatMap {
                    Amount(minorUnits: units, currency: $0)
                }
            }
            return StoredCard(card, exempted: ExemptedPayments(count: exemptedCount, total: total))
        }
    }
}

extension Statement {
    fileprivate static let addCard = Statement(
        "INSERT INTO cards \(insert: Table.cards.columns) ON CONFLICT DO NOTHING"
    )
    fileprivate static let replaceCard = Statement(
        "UPDATE cards SET \(set: [.digest, .account, .sealed]) WHERE \(match: [.reference])"
    )
    fileprivate static let removeCard = Statement(
        "DELETE FROM cards WHERE \(match: [.reference])"
    )
    fileprivate static let cardByReference = Statement(
        "SELECT \(Table.cards.columns) FROM cards WHERE \(match: [.reference])"
    )
    fileprivate static let cardByDigest = Statement(
        "SELECT \(Table.cards.columns) FROM cards WHERE \(match: [.digest])"
    )
    fileprivate static let unchangedCard = Statement(
        "SELECT \([Column.reference]) FROM cards WHERE \(match: [.reference, .sealed])"
    )
    fileprivate static let cardsOfAccount = Statement(
        """
        SELECT \(Table.cards.columns) FROM cards \
        WHERE \(match: [.account]) AND reference > $2 ORDER BY reference LIMIT $3
        """
    )
}

extension PagedStatement {
    fileprivate static let cards = PagedStatement(
        "SELECT \(Table.cards.columns) FROM cards",
        by: [.reference]
    )
}
