package import Storage

/// The findings about a store: its rows, and the chain of its records.
package struct StoreAudit: Sendable {
    /// The length of the unbroken chain from the first record.
    package private(set) var records: Int64 = 0
    /// The first record that is missing or not authentic.
    package private(set) var brokenRecord: Int64?
    /// The number of authentic rows.
    package private(set) var rows = 0
    package private(set) var forged = ForgedRows()
    /// Authentications without their first record: the end of the trail was removed.
    package private(set) var unrecorded = ForgedRows()

    package var findingCount: Int {
        (brokenRecord == nil ? 0 : 1) + forged.count + unrecorded.count
    }

    fileprivate static let pageSize = 1000
}

extension IssuerStore {
    package func audit() async throws(StoreFailure) -> StoreAudit {
        var audit = StoreAudit()
        var pending: Set<String> = []
        for table in SealedTable.all {
            var last: SQLValue? = SealedTable.start
            while let place = last {
                let page = try await database.scan { [seal] connection throws(StoreFailure) in
                    try seal.checkPage(of: table, after: place, on: connection)
                }
                audit.add(page)
                // Their records are in the trail, which is read afterwards.
                if table.key == .id { pending.formUnion(page.names) }
                last = page.end
            }
        }
        try await check(&pending, &audit)
        return audit
    }

    private func check(
        _ pending: inout Set<String>,
        _ audit: inout StoreAudit
    ) async throws(StoreFailure) {
        var cursor = RecordTable.Cursor.start
        while true {
            let page = try await database.scan { [self, cursor] connection throws(StoreFailure) in
                try records(connection).records(after: cursor, limit: StoreAudit.pageSize)
            }
            audit.add(page)
            for record in page.records { pending.remove(record.record.authentication) }
            // Behind a break, each authentication would be one more finding.
            if page.broken != nil { return }
            guard !page.records.isEmpty else { return audit.add(unrecorded: pending) }
            cursor = page.end
        }
    }
}

extension StoreAudit {
    fileprivate struct Page: Sendable {
        var names: [String] = []
        var forged: [String] = []
        var end: SQLValue?
    }

    fileprivate mutating func add(_ page: Page) {
        rows += page.names.count
        for name in page.forged { forged.append(name) }
    }

    fileprivate mutating func add(_ page: RecordTable.Page) {
        records = page.end.number
        brokenRecord = page.broken
    }

    fileprivate mutating func add(unrecorded: Set<String>) {
        for name in unrecorded.sorted() { self.unrecorded.append(name) }
    }
}

extension RowSeal {
    fileprivate func checkPage(
        of table: SealedTable,
        after place: SQLValue,
        on connection: any SQLConnection
    ) throws(StoreFailure) -> StoreAudit.Page {
        var page = StoreAudit.Page()
        let rows = try table.rows(connection, after: place, limit: StoreAudit.pageSize)
        for var row in rows {
            let forged = try row.forEachValue { value, identity throws(StoreFailure) in
                try check(value, of: identity)
            }
            if let forged { page.forged.append(forged) } else { page.names.append(row.name) }
        }
        page.end = rows.last?.key
        return page
    }
}
