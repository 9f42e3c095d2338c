import Storage

/// A table with tags, read in the order of its primary key to write all tags again.
struct TaggedTable: Sendable {
    let table: Table
    let parts: [(part: TaggedPart, update: Statement)]
    let select: PagedStatement
    fileprivate let count: Statement
    /// The rows with a tag below a number.
    fileprivate let older: [Statement]

    private init(_ table: Table, _ parts: [TaggedPart], number: StaticString? = nil) {
        self.table = table
        self.parts = parts.map { part in
            let update = Statement(
                "UPDATE \(table) SET \(set: [part.column]) WHERE \(match: table.key)"
            )
            return (part, update)
        }
        count = Statement("SELECT \(.count, from: "COUNT(*)") FROM \(table)")
        older = parts.map { part in
            Statement("SELECT 1 FROM \(table) WHERE \(below: part.column) LIMIT 1")
        }
        select =
            if let number {
                PagedStatement(
                    "SELECT \(table.columns), \(.number, from: number) FROM \(table)",
                    by: table.key
                )
            } else {
                PagedStatement("SELECT \(table.columns) FROM \(table)", by: table.key)
            }
    }

    /// All tables but that of the verifier, whose tag is written last.
    static let all = rows + [TaggedTable(.audit, [.record])]

    /// The tables without the trail, which an audit follows record by record.
    static let rows = [
        TaggedTable(.enterprises, [.enterprise]),
        TaggedTable(.accounts, [.account]),
        TaggedTable(.activations, [.activation]),
        TaggedTable(.devices, [.device, .notifications]),
        TaggedTable(.credentials, [.credential, .failures]),
        TaggedTable(.transactions, [.transaction]),
        TaggedTable(.archivedTransactions, [.transaction], number: "NULL"),
        TaggedTable(.logins, [.login]),
        TaggedTable(.attempts, [.attempt]),
        TaggedTable(.bankTokens, [.bankToken]),
        TaggedTable(.bankCalls, [.call]),
        TaggedTable(.requestedCalls, [.requestedCall]),
    ]

    static let verifier = TaggedTable(.verifier, [.verifier])
}

/// Rows whose tags were written again.
struct Retagged: Sendable {
    let changed: Int
    let rows: Int
    /// The names of forged rows, whose tags stay as they are.
    let forged: [String]
    /// The same for rows whose key is missing.
    let locked: [String]
    /// The key of the last row.
    let last: [SQLValue]
}

extension Ledger {
    /// The number of rows with tags of their own.
    func taggedRowCount() throws(StoreFailure) -> UInt64 {
        var count: UInt64 = 0
        for table in TaggedTable.all {
            count += try row(table.count, [])?.number(.count) ?? 0
        }
        return count
    }

    /// Writes the tags of the next rows again, under the newest key or by another authenticator.
    ///
    /// Returns nil at the end of the table. A row that is forged stays forged.
    func retag(
        _ table: TaggedTable,
        after last: [SQLValue]?,
        limit: Int,
        by other: RowAuthenticator? = nil
    ) throws(StoreFailure) -> Retagged? {
        var (changed, forged, locked) = (0, [String](), [String]())
        guard let page = try page(of: table, after: last, limit: limit) else { return nil }
        for row in page.rows {
            let key = try row[table.table.key]
            let (count, failure) = try retag(row, key, in: table, by: other)
            changed += count
            // One row must stop neither a rotation nor a restore.
            switch failure?.reason {
            case nil: break
            case .missingKey: locked.append(table.table.description(of: key))
            default: forged.append(table.table.description(of: key))
            }
        }
        return Retagged(
            changed: changed,
            rows: page.rows.count,
            forged: forged,
            locked: locked,
            last: page.last
        )
    }

    /// Returns the number of changed tags, and why a part was not changed.
    private func retag(
        _ row: Row,
        _ key: [SQLValue],
        in table: TaggedTable,
        by other: RowAuthenticator?
    ) throws(StoreFailure) -> (changed: Int, failure: StoreFailure?) {
        var changed = 0
        var failure: StoreFailure?
        for (part, update) in table.parts {
            let stored = try row[part.column]
            do throws(StoreFailure) {
                try check(part, in: row, key: key)
            } catch {
                guard error.isOfOneRow else { throw error }
                failure = error
                continue
            }
            guard let tag = try newTag(of: part, key, by: other), tag != stored else { continue }
            changed += try connection.run(update, [tag] + key)
        }
        return (changed, failure)
    }

    /// Removes the tags of these rows, so that they are forged.
    ///
    /// Returns the key of the last row of the page; nil at the end of the table.
    private func removeTags(
        of rows: Set<String>,
        in table: TaggedTable,
        after last: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> [SQLValue]? {
        let page = try page(of: table, after: last, limit: limit)
        for row in page?.rows ?? [] {
            let key = try row[table.table.key]
            guard rows.contains(table.table.description(of: key)) else { continue }
            for (_, update) in table.parts {
                try connection.change(update, [.null] + key, rowCount: nil)
            }
        }
        return page?.last
    }

    /// The next rows whose tags are not valid; nil at the end of the table.
    func forgedRows(
        in table: TaggedTable,
        after last: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> (rows: [String], count: Int, last: [SQLValue])? {
        guard let page = try page(of: table, after: last, limit: limit) else { return nil }
        var forged: [String] = []
        for row in page.rows {
            let key = try row[table.table.key]
            do throws(StoreFailure) {
                for (part, _) in table.parts {
                    try check(part, in: row, key: key)
                    _ = recorded.forget(RowName(part, key))
                }
            } catch {
                guard error.isOfOneRow else { throw error }
                forged.append(table.table.description(of: key))
            }
        }
        return (forged, page.rows.count, page.last)
    }

    /// Writes all tags again under keys of a new restore, so that rows of discarded records are not
    /// authentic.
    ///
    /// Returns the rows that were forged, and stay forged. The caller saves the state, and its tag,
    /// afterwards.
    func beginRestore(_ id: [UInt8], rowsAtOnce: Int) throws(StoreFailure) -> NamedRows {
        var state = try state()
        state.restoreID = id
        let names = StoreNames(id: state.id, restoreID: id)
        let authenticator = try authenticator(try currentKeyVersion(), of: names)
        guard let authenticator else { throw .misuse }
        var forged = NamedRows()
        for table in TaggedTable.all {
            var last: [SQLValue]?
            while let batch = try retag(table, after: last, limit: rowsAtOnce, by: authenticator) {
                for row in batch.forged + batch.locked { forged.add(row) }
                last = batch.last
            }
        }
        recorded.state = state
        recorded.use(names)
        return forged
    }

    /// Makes these rows forged, whatever their tags were.
    func distrust(_ rows: Set<String>, rowsAtOnce: Int) throws(StoreFailure) {
        guard !rows.isEmpty else { return }
        for table in TaggedTable.rows {
            var last: [SQLValue]?
            repeat {
                last = try removeTags(of: rows, in: table, after: last, limit: rowsAtOnce)
            } while last != nil
        }
    }

    /// The tag of a known row under the newest key, or by another authenticator.
    private func newTag(
        of part: TaggedPart,
        _ key: [SQLValue],
        by other: RowAuthenticator?
    ) throws(StoreFailure) -> SQLValue? {
        let name = RowName(part, key)
        guard let known = recorded.forget(name) else { throw .misuse }
        let tag =
            if let other {
                try other.tag(of: name, known)
            } else {
                try tag(of: name, known, keyVersion: try currentKeyVersion())
            }
        return tag.map { .bytes($0.stored) }
    }

    /// Whether an authentic row has a tag under a key older than `version`.
    func hasTags(olderThan version: UInt32) throws(StoreFailure) -> Bool {
        let start = withUnsafeBytes(of: version.bigEndian) { SQLValue.bytes(Array($0)) }
        for table in TaggedTable.all + [.verifier] {
            for statement in table.older where try row(statement, [start]) != nil {
                if try hasAuthenticTag(olderThan: version, in: table) { return true }
            }
        }
        return false
    }

    /// Reads the whole table: an attacker can have forged any number of rows.
    private func hasAuthenticTag(
        olderThan version: UInt32,
        in table: TaggedTable
    ) throws(StoreFailure) -> Bool {
        var last: [SQLValue]?
        while let page = try page(of: table, after: last, limit: Self.rowsAtOnce) {
            last = page.last
            for row in page.rows {
                for (part, _) in table.parts {
                    guard
                        case .bytes(let stored) = try row[part.column],
                        let tag = RowTag(stored: stored), tag.keyVersion < version
                    else { continue }
                    if try isAuthentic(part, in: row, key: try row[table.table.key]) { return true }
                }
            }
        }
        return false
    }

    private func page(
        of table: TaggedTable,
        after last: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> Page? {
        try page(table.select, of: table.table, after: last, limit: limit)
    }

    private static let rowsAtOnce = 500

    private func isAuthentic(
        _ part: TaggedPart,
        in row: Row,
        key: [SQLValue]
    ) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            try check(part, in: row, key: key)
            _ = recorded.forget(RowName(part, key))
            return true
        } catch {
            guard error.isForgery else { throw error }
            return false
        }
    }
}
