import Storage

/// A table with sealed values, for work on all of its rows that does not read the contents.
struct SealedTable: Sendable {
    /// The primary key, which is a text.
    let key: Column
    /// Its values are, in order, those of `identities`.
    let sealedColumns: [Column]
    /// The identity to which each sealed value of a row is bound, by the name of the row.
    let identities: @Sendable (String, Row) throws(StoreFailure) -> [RowIdentity]
    private let page: Statement
    private let replace: Statement

    static let all = [secrets, cards, authentications, responses, checks, events]

    static let secrets = SealedTable(
        key: .name,
        sealedColumns: [.sealed],
        identities: { name, _ in [.secret(name)] },
        page: Statement("SELECT \(Table.secrets.columns) FROM secrets \(after: [.name])"),
        replace: Statement("UPDATE secrets SET \(set: [.sealed]) WHERE \(match: [.name])")
    )

    static let cards = SealedTable(
        key: .reference,
        sealedColumns: [.sealed],
        identities: { reference, row throws(StoreFailure) in
            [.card(reference, try row[CardTable.boundColumns])]
        },
        page: Statement("SELECT \(Table.cards.columns) FROM cards \(after: [.reference])"),
        replace: Statement("UPDATE cards SET \(set: [.sealed]) WHERE \(match: [.reference])")
    )

    static let checks = SealedTable(
        key: .key,
        sealedColumns: [.sealed],
        identities: { key, row throws(StoreFailure) in
            [.check(key, try row[CheckTable.boundColumns])]
        },
        page: Statement("SELECT \(Table.checks.columns) FROM checks \(after: [.key])"),
        replace: Statement("UPDATE checks SET \(set: [.sealed]) WHERE \(match: [.key])")
    )

    static let events = SealedTable(
        key: .authentication,
        sealedColumns: [.sealed],
        identities: { authentication, row throws(StoreFailure) in
            [.event(authentication, try row[EventTable.boundColumns])]
        },
        page: Statement(
            "SELECT \(Table.notifications.columns) FROM notifications \(after: [.authentication])"
        ),
        replace: Statement(
            "UPDATE notifications SET \(set: [.sealed]) WHERE \(match: [.authentication])"
        )
    )

    static let authentications = SealedTable(
        key: .id,
        sealedColumns: [.sealed, .sealedKey],
        identities: { id, row throws(StoreFailure) in
            let columns = try row[AuthenticationTable.boundColumns]
            return [.authentication(id, columns), .channelKey(of: id)]
        },
        page: Statement(
            "SELECT \(Table.authentications.columns) FROM authentications \(after: [.id])"
        ),
        replace: Statement(
            """
            UPDATE authentications SET \(set: [.sealed, .sealedKey]) WHERE \(match: [.id])
            """
        )
    )

    static let responses = SealedTable(
        key: .authentication,
        sealedColumns: [.sealed],
        identities: { authentication, _ in [.response(authentication)] },
        page: Statement(
            "SELECT \(Table.responses.columns) FROM responses \(after: [.authentication])"
        ),
        replace: Statement(
            "UPDATE responses SET \(set: [.sealed]) WHERE \(match: [.authentication])"
        )
    )
}

extension SealedTable {
    /// A row with its sealed values.
    struct SealedRow {
        let key: SQLValue
        /// In the order of the columns; nil for an empty column.
        var values: [SQLValue?]
        /// Nil if its key is not a text that an ACS writes.
        let identities: [RowIdentity]?
        let name: String
    }

    /// The place before the first row; any other place is the key of a row.
    static let start = SQLValue.text("")

    func rows(
        _ connection: any SQLConnection,
        after key: SQLValue,
        limit: Int
    ) throws(StoreFailure) -> [SealedRow] {
        try connection.rows(page, [key, .integer(Int64(limit))]).map { row throws(StoreFailure) in
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
