package import StrictJSON

/// The audit trail as JSON, one record a line, in its order.
package struct AuditExport: Sendable {
    private static let recordsAtOnce = 500

    private let store: any Database
    private let end: UInt64
    private var last: UInt64

    /// All records after `sequence` that are committed by now.
    package init(
        of store: any Database,
        after sequence: UInt64 = 0
    ) async throws(StoreFailure) {
        self.store = store
        last = sequence
        end = try await store.read { connection throws(StoreFailure) in
            try Ledger(connection).state().audit.sequence
        }
    }

    /// The lines of the records that come next, each with its end; nil where there are none.
    package mutating func next() async throws(StoreFailure) -> [UInt8]? {
        guard last < end else { return nil }
        let records = try await store.read { [last] connection throws(StoreFailure) in
            try Ledger(connection).auditRecords(after: last, limit: Self.recordsAtOnce)
        }
        guard let newest = records.last?.sequence else { return nil }
        last = newest
        var lines: [UInt8] = []
        for record in records where record.sequence <= end { lines += try Self.line(of: record) }
        return lines
    }

    private static func line(of record: AuditRecord) throws(StoreFailure) -> [UInt8] {
        do throws(StrictJSON.Unwritable) {
            return try StrictJSON.encode(record) + [UInt8(ascii: "\n")]
        } catch {
            throw .damaged
        }
    }
}

extension AuditRecord {
    /// Reads one line of an export.
    package init(exported line: [UInt8]) throws(StrictJSON.Failure) {
        self = try StrictJSON.decode(from: line)
    }
}
