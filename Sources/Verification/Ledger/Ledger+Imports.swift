import Storage
import TransactionApproval

/// The operator's name for an imported file, so that a repeated import continues where it stopped.
package struct ImportName: TextIdentifier {
    package let text: String
    package init(checked text: String) { self.text = text }
}

/// The progress of an import.
package struct ImportRecord: Equatable, Sendable {
    package let name: ImportName
    /// The last processed line, loaded or rejected.
    package var line: UInt64 = 0
    /// A chained MAC of all lines up to there, which only a file with the same beginning has; empty
    /// if nothing was read.
    package var digest: [UInt8] = []
    package var accounts: UInt64 = 0
    package var tokens: UInt64 = 0
    package var rejected: UInt64 = 0

    package init(name: ImportName) {
        self.name = name
    }
}

/// A row that was not loaded.
package struct RejectedRow: Equatable, Sendable {
    /// The maximum for a file, in which every row may be wrong.
    package static let maximumKept: UInt64 = 10_000

    package let line: UInt64
    /// Contains nothing of the row.
    package let reason: String
}

extension Ledger {
    /// Returns nil if nothing was loaded under this name.
    func importRecord(_ name: ImportName) throws(StoreFailure) -> ImportRecord? {
        guard let row = try row(Self.selectImport, [SQLValue(name)]) else { return nil }
        var record = ImportRecord(name: name)
        record.line = try row.number(.line)
        record.digest = try row.bytes(.digest)
        record.accounts = try row.number(.accounts)
        record.tokens = try row.number(.tokens)
        record.rejected = try row.number(.rejected)
        return record
    }

    func save(_ record: ImportRecord) throws(StoreFailure) {
        try connection.change(
            Self.saveImport,
            [
                .name: SQLValue(record.name), .line: SQLValue(record.line),
                .digest: .bytes(record.digest), .accounts: SQLValue(record.accounts),
                .tokens: SQLValue(record.tokens), .rejected: SQLValue(record.rejected),
            ]
        )
    }

    /// The rejected rows by line number.
    func rejectedRows(of name: ImportName) throws(StoreFailure) -> [RejectedRow] {
        try rows(Self.selectRejected, [SQLValue(name)]) { row throws(StoreFailure) in
            RejectedRow(line: try row.number(.line), reason: try row.text(.reason))
        }
    }

    /// Stores the newest rows that `record` counts as rejected, up to the maximum.
    func add(_ rows: [RejectedRow], of record: ImportRecord) throws(StoreFailure) {
        let before = record.rejected - UInt64(rows.count)
        guard before < RejectedRow.maximumKept else { return }
        for row in rows.prefix(Int(RejectedRow.maximumKept - before)) {
            try connection.change(
                Table.rejectedRows.insertion,
                [
                    .importName: SQLValue(record.name), .line: SQLValue(row.line),
                    .reason: .text(row.reason),
                ]
            )
        }
    }

    private static let selectRejected = Statement(
        "SELECT \([.line, .reason]) FROM rejected_rows WHERE import = $1 ORDER BY line"
    )
    private static let selectImport = Statement(
        "SELECT \(Table.imports.values) FROM imports WHERE name = $1"
    )
    private static let saveImport = Statement(
        """
        INSERT INTO imports \(insert: Table.imports.columns)
        ON CONFLICT (name) DO UPDATE SET \(set: Table.imports.values)
        """
    )
}
