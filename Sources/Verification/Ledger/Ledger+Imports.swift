import TransactionApproval

/// What the operator calls a file that is loaded, so that loading it goes on where it stopped.
package struct ImportName: TextIdentifier {
    package let text: String
    package init(checked text: String) { self.text = text }
}

/// How far a file was loaded.
package struct ImportRecord: Equatable, Sendable {
    package let name: ImportName
    /// The last line that was looked at, loaded or rejected.
    package var line: UInt64 = 0
    /// A chained MAC of all lines until there, which only a file that begins alike has; empty where
    /// nothing was read.
    package var digest: [UInt8] = []
    package var accounts: UInt64 = 0
    package var tokens: UInt64 = 0
    package var rejected: UInt64 = 0

    package init(name: ImportName) {
        self.name = name
    }
}

/// A row that was left out.
package struct RejectedRow: Equatable, Sendable {
    /// So many of a file are kept, which may have no row that is right.
    package static let maximumKept: UInt64 = 10_000

    package let line: UInt64
    /// In words that hold nothing of the row.
    package let reason: String
}

extension Ledger {
    /// Nil where nothing was loaded under this name.
    package func importRecord(_ name: ImportName) throws(StoreFailure) -> ImportRecord? {
        guard let row = try row(Self.selectImport, [SQLValue(name)]) else { return nil }
        var record = ImportRecord(name: name)
        record.line = try row.number(0)
        record.digest = try row.bytes(1)
        record.accounts = try row.number(2)
        record.tokens = try row.number(3)
        record.rejected = try row.number(4)
        return record
    }

    func save(_ record: ImportRecord) throws(StoreFailure) {
        try change(
            Self.saveImport,
            [
                SQLValue(record.name), SQLValue(record.line), .bytes(record.digest),
                SQLValue(record.accounts), SQLValue(record.tokens), SQLValue(record.rejected),
            ]
        )
    }

    /// In the order of their lines.
    func rejectedRows(of name: ImportName) throws(StoreFailure) -> [RejectedRow] {
        try connection.rows(Self.selectRejected, [SQLValue(name)])
            .map { row throws(StoreFailure) in
                RejectedRow(line: try row.number(0), reason: try row.text(1))
            }
    }

    /// Keeps the last rows that `record` counts as rejected, as far as so many are kept.
    func add(_ rows: [RejectedRow], of record: ImportRecord) throws(StoreFailure) {
        let before = record.rejected - UInt64(rows.count)
        guard before < RejectedRow.maximumKept else { return }
        for row in rows.prefix(Int(RejectedRow.maximumKept - before)) {
            try change(
                Self.insertRejected,
                [SQLValue(record.name), SQLValue(row.line), .text(row.reason)]
            )
        }
    }

    private static let selectRejected = Statement(
        "SELECT line, reason FROM rejected_rows WHERE import = $1 ORDER BY line"
    )
    private static let insertRejected = Statement(
        "INSERT INTO rejected_rows (import, line, reason) VALUES ($1, $2, $3)"
    )
    private static let selectImport = Statement(
        "SELECT line, digest, accounts, tokens, rejected FROM imports WHERE name = $1"
    )
    private static let saveImport = Statement(
        """
        INSERT INTO imports (name, line, digest, accounts, tokens, rejected)
        VALUES ($1, $2, $3, $4, $5, $6)
        ON CONFLICT (name) DO UPDATE SET line = $2, digest = $3, accounts = $4, tokens = $5,
            rejected = $6
        """
    )
}
