package import StrictJSON

/// The audit trail as JSON, one record a line, in its order.
package enum AuditExport {
    static let recordsAtOnce = 500

    /// Hands out the lines of all records after `sequence` that are committed by now, each with its
    /// end, some at a time.
    package static func lines(
        of store: any Database,
        after sequence: UInt64 = 0,
        _ write: ([UInt8]) async throws -> Void
    ) async throws {
        let end = try await store.read { connection throws(StoreFailure) in
            try Ledger(connection).state().audit.sequence
        }
        var last = sequence
        while last < end {
            let records = try await store.read { [last] connection throws(StoreFailure) in
                try Ledger(connection).auditRecords(after: last, limit: recordsAtOnce)
            }
            guard let newest = records.last?.sequence else { return }
            var lines: [UInt8] = []
            for record in records where record.sequence <= end {
                lines += try StrictJSON.encode(record) + [UInt8(ascii: "\n")]
            }
            try await write(lines)
            last = newest
        }
    }
}

extension AuditRecord {
    /// Reads one line of an export.
    package init(exported line: [UInt8]) throws(StrictJSON.Failure) {
        self = try StrictJSON.decode(from: line)
    }
}
