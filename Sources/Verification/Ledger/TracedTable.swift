import Cryptography
import Storage

/// A table whose rows have audit records, read with whatever another writer put into it.
struct TracedTable: Sendable {
    private let table: Table
    let parts: [TracedPart]
    fileprivate let select: Statement
    fileprivate let first: [SQLValue]
    /// The earliest time of its rows, if a retention deletes old rows.
    fileprivate let oldest: Statement?
    /// The rows that need no audit record.
    private let unrecorded: (column: Column, value: SQLValue)?

    /// A row with the digest of each of its parts.
    struct Found {
        let description: String
        let needsRecord: Bool
        let parts: [(name: TracedRow, digest: [UInt8])]
    }

    private init(
        _ table: Table,
        _ parts: [TracedPart],
        after first: [SQLValue],
        oldest: Statement? = nil,
        unrecorded: (column: Column, value: SQLValue)? = nil,
        _ select: Statement
    ) {
        self.table = table
        self.parts = parts
        self.first = first
        self.oldest = oldest
        self.unrecorded = unrecorded
        self.select = select
    }

    /// The table in which the rows of a part are first stored.
    static func first(with part: TracedPart) -> TracedTable? {
        all.first { $0.parts.contains(part) }
    }

    /// Whether no retention deletes its rows.
    var isLasting: Bool { oldest == nil }

    /// The table and key of a row, for an operator.
    func description(of row: TracedRow) -> String { description(of: row.key ?? []) }

    private func description(of key: [SQLValue]) -> String {
        "\(table.name)" + zip(table.key, key).map { " \($0)=\($1.plainText)" }.joined()
    }

    fileprivate func key(of row: Row) throws(StoreFailure) -> [SQLValue] { try row[table.key] }

    fileprivate func found(_ row: Row) throws(StoreFailure) -> Found {
        let key = try key(of: row)
        var needsRecord = true
        if let unrecorded { needsRecord = try row[unrecorded.column] != unrecorded.value }
        return Found(
            description: description(of: key),
            needsRecord: needsRecord,
            parts: try parts.map { part throws(StoreFailure) in
                (TracedRow(part, key), try row[part.columns].traceDigest())
            }
        )
    }
}

extension Ledger {
    /// The rows after the key `last`; nil at the end of the table.
    func found(
        in table: TracedTable,
        after last: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> (rows: [TracedTable.Found], last: [SQLValue])? {
        let rows = try connection.rows(table.select, (last ?? table.first) + [SQLValue(limit)])
        guard let end = rows.last else { return nil }
        let found = try rows.map { row throws(StoreFailure) in try table.found(row) }
        return (found, try table.key(of: end))
    }

    /// The earliest time, in milliseconds, that a row of a table can have; nil if there are no rows.
    func oldest(in table: TracedTable) throws(StoreFailure) -> Int64? {
        guard let oldest = table.oldest else { return .min }
        return try row(oldest, [])?.optionalInteger(.created)
    }
}

extension SQLValue {
    fileprivate var plainText: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .text(let text): text
        case .bytes(let bytes): TextEncoding.hexadecimal.encode(bytes.span)
        }
    }
}

extension TracedTable {
    /// The archive comes after the table that its rows come from.
    static let all = [
        verifier, enterprises, accounts, activations, devices, credentials, transactions,
        archivedTransactions, logins, attempts, bankTokens, bankCalls,
    ]

    private static let verifier = TracedTable(
        .verifier,
        [.verifier],
        after: [.integer(0)],
        Statement("SELECT \([.id, .epoch]) FROM verifier WHERE id > $1 ORDER BY id LIMIT $2")
    )
    private static let enterprises = TracedTable(
        .enterprises,
        [.enterprise],
        after: [.text("")],
        Statement("SELECT \([.id, .policy]) FROM enterprises WHERE id > $1 ORDER BY id LIMIT $2")
    )
    private static let accounts = TracedTable(
        .accounts,
        [.account],
        after: [.text(""), .text(""), .text("")],
        Statement(
            """
            SELECT \(Table.accounts.columns) FROM accounts
            WHERE (enterprise, type, id) > ($1, $2, $3)
            ORDER BY enterprise, type, id LIMIT $4
            """
        )
    )
    private static let activations = TracedTable(
        .activations,
        [.activation],
        after: [.text("")],
        oldest: Statement("SELECT \(.created, from: "MIN(issued)") FROM activations"),
        Statement(
            """
            SELECT \([.id] + TracedPart.activation.columns) FROM activations
            WHERE id > $1 ORDER BY id LIMIT $2
            """
        )
    )
    private static let devices = TracedTable(
        .devices,
        [.device, .notifications],
        after: [.bytes([])],
        Statement(
            "SELECT \(Table.devices.columns) FROM devices WHERE id > $1 ORDER BY id LIMIT $2"
        )
    )
    private static let credentials = TracedTable(
        .credentials,
        [.credential, .failures],
        after: [.bytes([]), .integer(0)],
        Statement(
            """
            SELECT \(Table.credentials.columns) FROM credentials
            WHERE (device, kind) > ($1, $2) ORDER BY device, kind LIMIT $3
            """
        )
    )
    private static let transactions = TracedTable(
        .transactions,
        [.transaction, .outcome],
        after: [.text("")],
        Statement(
            """
            SELECT \(Table.archivedTransactions.columns),
                \(.hasNumber, from: "CASE WHEN number IS NULL THEN 0 ELSE 1 END")
            FROM transactions WHERE id > $1 ORDER BY id LIMIT $2
            """
        )
    )
    private static let archivedTransactions = TracedTable(
        .archivedTransactions,
        [.transaction, .outcome],
        after: [.text("")],
        Statement(
            """
            SELECT \(Table.archivedTransactions.columns), \(.hasNumber, from: "0")
            FROM archived_transactions WHERE id > $1 ORDER BY id LIMIT $2
            """
        )
    )
    private static let attempts = TracedTable(
        .attempts,
        [.attempt],
        after: [.bytes([]), .bytes([])],
        oldest: Statement("SELECT \(.created, from: "MIN(created)") FROM attempts"),
        unrecorded: (.verdict, .text(AttemptVerdict.unchanged.stored)),
        Statement(
            """
            SELECT \(Table.attempts.columns) FROM attempts
            WHERE (device, id) > ($1, $2) ORDER BY device, id LIMIT $3
            """
        )
    )
    private static let logins = TracedTable(
        .logins,
        [.login],
        after: [.text("")],
        oldest: Statement("SELECT \(.created, from: "MIN(granted)") FROM logins"),
        Statement("SELECT \(Table.logins.columns) FROM logins WHERE id > $1 ORDER BY id LIMIT $2")
    )
    private static let bankTokens = TracedTable(
        .bankTokens,
        [.bankToken],
        after: [.bytes([])],
        Statement(
            """
            SELECT \(Table.bankTokens.columns) FROM bank_tokens
            WHERE id > $1 ORDER BY id LIMIT $2
            """
        )
    )
    private static let bankCalls = TracedTable(
        .bankCalls,
        [.call],
        after: [.text(""), .text("")],
        oldest: Statement("SELECT \(.created, from: "MIN(created)") FROM bank_calls"),
        Statement(
            """
            SELECT \(Table.bankCalls.columns) FROM bank_calls
            WHERE (enterprise, idempotency_key) > ($1, $2)
            ORDER BY enterprise, idempotency_key LIMIT $3
            """
        )
    )
}
