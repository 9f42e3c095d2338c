package import Storage
package import Transactions

/// The findings about a store: its rows, and the chain of its records.
package struct StoreAudit: Sendable {
    /// The length of the unbroken chain from the first record.
    package private(set) var records: Int64 = 0
    /// The first record that is missing or not authentic.
    package fileprivate(set) var brokenRecord: Int64?
    /// The number of authentic rows.
    package private(set) var rows = 0
    package private(set) var forged = ReportedRows()
    /// Rows under keys that this process lacks.
    package private(set) var locked = ReportedRows()
    /// Rows without their first record: the end of the trail was removed, or the row was put back.
    package private(set) var unrecorded = ReportedRows()
    /// Rows that are missing, or in another state than their records.
    package fileprivate(set) var differing = ReportedRows()
    /// Authentications with two records of a step that is possible once: an earlier content was put
    /// back, and used.
    package fileprivate(set) var repeated = ReportedRows()

    package var findingCount: Int {
        (brokenRecord == nil ? 0 : 1) + forged.count + locked.count + unrecorded.count
            + differing.count + repeated.count
    }

    fileprivate static let pageSize = 1000
}

extension IssuerStore {
    /// `now` is the time of the clock by which the ACS removes old authentications.
    package func audit(at now: Timestamp) async throws(StoreFailure) -> StoreAudit {
        var audit = StoreAudit()
        var pending: Set<IssuerRecord.Subject> = []
        for table in SealedTable.all {
            var last: SQLValue?
            repeat {
                let page = try await database.scan { [seal, last] connection throws(StoreFailure) in
                    try seal.checkPage(of: table, after: last, on: connection)
                }
                audit.add(page)
                // Their records are in the trail, which is read afterwards.
                pending.formUnion(page.names.compactMap(table.subject))
                last = page.end
            } while last != nil
        }
        // A day more, because the rows are removed once an hour.
        let start = now - IssuerService.retention + .seconds(86_400)
        var states = RecordedStates(from: start)
        let end = try await check(&pending, &states, &audit)
        for subject in states.repeated { audit.repeated.append(subject.name) }
        // Without all records, it is not known how the rows should be.
        if audit.brokenRecord == nil { try await compare(&states, after: end, &audit) }
        return audit
    }

    private func check(
        _ pending: inout Set<IssuerRecord.Subject>,
        _ states: inout RecordedStates,
        _ audit: inout StoreAudit
    ) async throws(StoreFailure) -> RecordTable.Cursor {
        var cursor = RecordTable.Cursor.start
        while true {
            let page = try await database.scan { [self, cursor] connection throws(StoreFailure) in
                try records(connection).records(after: cursor, limit: StoreAudit.pageSize)
            }
            audit.add(page)
            for record in page.records {
                pending.remove(record.record.subject)
                states.apply(record.record)
            }
            // Behind a break, each row would be one more finding.
            if page.broken != nil { return cursor }
            guard !page.records.isEmpty else {
                audit.add(unrecorded: pending)
                return cursor
            }
            cursor = page.end
        }
    }

    /// Nil if no key was added since the first one; throws if a record is missing or not authentic.
    func newestRecordedValueKey() async throws(StoreFailure) -> UInt8? {
        var (audit, states) = (StoreAudit(), RecordedStates(from: .latest))
        var none: Set<IssuerRecord.Subject> = []
        _ = try await check(&none, &states, &audit)
        if let broken = audit.brokenRecord { throw .forged(row: "record \(broken)") }
        return states.valueKeys.keys.max()
    }

    /// Compares the rows with their records.
    private func compare(
        _ states: inout RecordedStates,
        after end: RecordTable.Cursor,
        _ audit: inout StoreAudit
    ) async throws(StoreFailure) {
        try await compare(&states) { [self] connection, place throws(StoreFailure) in
            try cards(connection).states(after: place, limit: StoreAudit.pageSize)
        }
        try await compare(&states) { [self] connection, place throws(StoreFailure) in
            try authentications(connection).states(after: place, limit: StoreAudit.pageSize)
        }
        let secrets = try await Self.secrets(in: database, under: seal.keys)
        for (number, fingerprint) in states.valueKeys.sorted(by: { $0.key < $1.key })
        where try secrets.fingerprint(ofValueKey: number) != fingerprint {
            audit.differing.append(IssuerRecord.Subject.valueKey(number).name)
        }
        guard !states.suspects.isEmpty else { return }
        let (changed, broken) = try await changedRows(states, after: end)
        audit.brokenRecord = broken
        for subject in changed { audit.differing.append(subject.name) }
    }

    private func compare(
        _ states: inout RecordedStates,
        with page:
            @escaping @Sendable (any SQLConnection, SQLValue?) throws(StoreFailure)
            -> RecordedStates.Page
    ) async throws(StoreFailure) {
        var last: SQLValue?
        repeat {
            let found = try await database.scan { [last] connection throws(StoreFailure) in
                try page(connection, last)
            }
            states.compare(found)
            last = found.end
        } while last != nil
    }

    /// The suspects that are still different in one state of the store: a running ACS changes rows.
    private func changedRows(
        _ states: RecordedStates,
        after end: RecordTable.Cursor
    ) async throws(StoreFailure) -> (changed: [IssuerRecord.Subject], broken: Int64?) {
        try await database.scan { [self] connection throws(StoreFailure) in
            var (states, cursor) = (states, end)
            let suspects = states.suspects
            while true {
                let page = try records(connection)
                    .records(after: cursor, limit: StoreAudit.pageSize)
                for record in page.records { states.apply(record.record) }
                if let broken = page.broken { return ([], broken) }
                guard !page.records.isEmpty else { break }
                cursor = page.end
            }
            var changed: [IssuerRecord.Subject] = []
            for subject in suspects {
                let found = try state(of: subject, connection)
                if states.isChanged(subject, found) { changed.append(subject) }
            }
            return (changed, nil)
        }
    }

    /// Nil for a row that cannot be read, which is another finding.
    private func state(
        of subject: IssuerRecord.Subject,
        _ connection: any SQLConnection
    ) throws(StoreFailure) -> RecordedStates.State? {
        do throws(StoreFailure) {
            switch subject {
            case .card(let reference):
                return try cards(connection).card(reference)?.recordedState ?? []
            case .authentication(let id):
                return try authentications(connection).state(of: id)
            // Compared by its fingerprint.
            case .valueKey: return nil
            }
        } catch {
            _ = try seal.unreadable(subject.text, after: error, on: connection)
            return nil
        }
    }
}

extension StoreAudit {
    fileprivate struct Page: Sendable {
        var names: [String] = []
        var unreadable: [UnreadableRow] = []
        var end: SQLValue?
    }

    fileprivate mutating func add(_ page: Page) {
        rows += page.names.count
        for row in page.unreadable {
            if row.missingKey == nil { forged.append(row.text) } else { locked.append(row.text) }
        }
    }

    fileprivate mutating func add(_ page: RecordTable.Page) {
        records = page.end.number
        brokenRecord = page.broken
    }

    fileprivate mutating func add(unrecorded: Set<IssuerRecord.Subject>) {
        for name in unrecorded.map(\.name).sorted() { self.unrecorded.append(name) }
    }
}

extension RowSeal {
    fileprivate func checkPage(
        of table: SealedTable,
        after place: SQLValue?,
        on connection: any SQLConnection
    ) throws(StoreFailure) -> StoreAudit.Page {
        var page = StoreAudit.Page()
        let rows = try table.rows(connection, after: place, limit: StoreAudit.pageSize)
        for var row in rows {
            let unreadable = try row.forEachValue(under: self, on: connection) {
                value,
                identity throws(StoreFailure) in
                try check(value, of: identity)
            }
            if let unreadable {
                page.unreadable.append(unreadable)
            } else {
                page.names.append(row.name)
            }
        }
        page.end = rows.last?.key
        return page
    }
}
