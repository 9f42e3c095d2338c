import Storage
import Transactions

/// A table with sealed values, for work on all of its rows that does not read the contents.
struct SealedTable: Sendable {
    /// The primary key, which is a text.
    let key: Column
    /// Its values are, in order, those of `identities`.
    let sealedColumns: [Column]
    /// The identity to which each sealed value of a row is bound, by the name of the row.
    let identities: @Sendable (String, Row) throws(StoreFailure) -> [RowIdentity]
    private let page: PagedStatement
    private let replace: Statement

    static let all = [secrets, cards, authentications, responses, checks, events]

    static let secrets = SealedTable(.secrets) { name, _ in [.secret(name)] }

    static let cards = SealedTable(.cards) { reference, row throws(StoreFailure) in
        [.card(reference, try row[CardTable.boundColumns])]
    }

    static let checks = SealedTable(.checks) { key, row throws(StoreFailure) in
        [.check(key, try row[CheckTable.boundColumns])]
    }

    static let events = SealedTable(.notifications) { authentication, row throws(StoreFailure) in
        [.event(authentication, try row[EventTable.boundColumns])]
    }

    static let authentications = SealedTable(
        .authentications,
        sealing: [.sealed, .sealedKey]
    ) { id, row throws(StoreFailure) in
        let columns = try row[AuthenticationTable.boundColumns]
        return [.authentication(id, columns), .channelKey(of: id)]
    }

    static let responses = SealedTable(.responses) { authentication, _ in
        [.response(authentication)]
    }

    private init(
        _ table: Table,
        sealing sealedColumns: [Column] = [.sealed],
        identities: @escaping @Sendable (String, Row) throws(StoreFailure) -> [RowIdentity]
    ) {
        // Each table has one.
        key = table.key[0]
        (self.sealedColumns, self.identities) = (sealedColumns, identities)
        page = PagedStatement("SELECT \(table.columns) FROM \(table)", by: table.key)
        replace = Statement(
            "UPDATE \(table) SET \(set: sealedColumns) WHERE \(match: table.key)"
        )
    }
}

extension SealedTable {
    /// The subject of the records about a row; nil for a table without records.
    func subject(_ name: String) -> IssuerRecord.Subject? {
        switch key {
        case .id: .authentication(name)
        case .reference: CardReference(name).map { .card($0) }
        default: nil
        }
    }

    /// A row with its sealed values.
    struct SealedRow {
        let key: SQLValue
        /// In the order of the columns; nil for an empty column.
        var values: [SQLValue?]
        /// Nil if its key is not a text that an ACS writes.
        let identities: [RowIdentity]?
        let name: String
    }

    func rows(
        _ connection: any SQLConnection,
        after key: SQLValue?,
        limit: Int
    ) throws(StoreFailure) -> [SealedRow] {
        let rows = try connection.rows(page, after: key.map { [$0] }, limit: limit)
        return try rows.map { row throws(StoreFailure) in
            let values = try row[sealedColumns].map { $0 == .null ? nil : $0 }
            let key = try row[self.key]
            guard case .text(let name) = key else {
                return SealedRow(key: key, values: values, identities: nil, name: "?")
            }
            let identities = try identities(name, row)
            return SealedRow(key: key, values: values, identities: identities, name: name)
        }
    }

    func replace(_ row: SealedRow, on connection: any SQLConnection) throws(StoreFailure) {
        var values: NamedValues = [key: row.key]
        for (column, value) in zip(sealedColumns, row.values) {
            values.append(column, value ?? .null)
        }
        try connection.change(replace, values)
    }
}

extension SealedTable.SealedRow {
    /// Calls `body` with each value; returns the first one that cannot be opened.
    mutating func forEachValue(
        under seal: RowSeal,
        on connection: any SQLConnection,
        _ body: (inout SQLValue, RowIdentity) throws(StoreFailure) -> Void
    ) throws(StoreFailure) -> UnreadableRow? {
        guard let identities else {
            return UnreadableRow(name: "a row without a name", missingKey: nil)
        }
        for (index, identity) in identities.enumerated() {
            guard var value = values[index] else { continue }
            do throws(StoreFailure) {
                try body(&value, identity)
                values[index] = value
            } catch {
                return try seal.unreadable(identity.description, after: error, on: connection)
            }
        }
        return nil
    }
}
