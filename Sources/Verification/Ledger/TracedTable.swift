import Cryptography
import TransactionApproval

/// A table of which records tell, read as it is, whatever somebody put into it.
struct TracedTable: Sendable {
    private let name: String
    private let keyColumns: [String]
    fileprivate let select: Statement
    fileprivate let first: [SQLValue]
    private let columns: [(part: TracedPart, range: Range<Int>)]
    /// The least moment of its rows, where rows that are over are taken out of it.
    fileprivate let oldest: Statement?
    /// What the last column has in rows that no record needs to tell of.
    private let unrecorded: SQLValue?

    /// A row with the digests of what of it is written together.
    struct Found {
        let description: String
        let needsRecord: Bool
        let parts: [(name: TracedRow, digest: [UInt8])]
    }

    var parts: [TracedPart] { columns.map(\.part) }

    private init(
        _ name: String,
        key: KeyValuePairs<String, SQLValue>,
        _ columns: KeyValuePairs<TracedPart, Range<Int>>,
        oldest: Statement? = nil,
        unrecorded: SQLValue? = nil,
        _ select: Statement
    ) {
        self.name = name
        keyColumns = key.map(\.key)
        first = key.map(\.value)
        self.columns = columns.map { ($0.key, $0.value) }
        self.oldest = oldest
        self.unrecorded = unrecorded
        self.select = select
    }

    /// The table that the part's rows are first in.
    static func first(with part: TracedPart) -> TracedTable? {
        all.first { $0.parts.contains(part) }
    }

    /// Whether no retention takes its rows out.
    var isLasting: Bool { oldest == nil }

    /// How an operator looks a row up.
    func description(of row: TracedRow) -> String { description(of: row.key ?? []) }

    private func description(of key: [SQLValue]) -> String {
        name + zip(keyColumns, key).map { " \($0)=\($1.plainText)" }.joined()
    }

    fileprivate func key(of row: Row) -> [SQLValue] { Array(row.values.prefix(keyColumns.count)) }

    fileprivate func found(_ row: Row) throws(StoreFailure) -> Found {
        let key = key(of: row)
        return Found(
            description: description(of: key),
            needsRecord: row.values.last != unrecorded,
            parts: try columns.map { part, range throws(StoreFailure) in
                (TracedRow(part, key), try row.values[range].traceDigest())
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
        let rows = try connection.rows(
            table.select,
            (last ?? table.first) + [.integer(Int64(limit))]
        )
        guard let end = rows.last else { return nil }
        let found = try rows.map { row throws(StoreFailure) in try table.found(row) }
        return (found, table.key(of: end))
    }

    /// Since when, in milliseconds, a table can have rows; nil where it has none.
    func oldest(in table: TracedTable) throws(StoreFailure) -> Int64? {
        guard let oldest = table.oldest else { return .min }
        return try row(oldest, [])?.optionalInteger(0)
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
    /// The archive after the table that its rows come from.
    static let all = [
        verifier, enterprises, accounts, activations, devices, credentials, transactions,
        archivedTransactions, logins, attempts, bankTokens, bankCalls,
    ]

    private static let verifier = TracedTable(
        "verifier",
        key: ["id": .integer(0)],
        [.verifier: 1..<2],
        Statement("SELECT id, epoch FROM verifier WHERE id > $1 ORDER BY id LIMIT $2")
    )
    private static let enterprises = TracedTable(
        "enterprises",
        key: ["id": .text("")],
        [.enterprise: 1..<2],
        Statement("SELECT id, policy FROM enterprises WHERE id > $1 ORDER BY id LIMIT $2")
    )
    private static let accounts = TracedTable(
        "accounts",
        key: ["enterprise": .text(""), "type": .text(""), "id": .text("")],
        [.account: 3..<7],
        Statement(
            """
            SELECT enterprise, type, id, person, muted_until, replaced_by_type, replaced_by_id
            FROM accounts WHERE (enterprise, type, id) > ($1, $2, $3)
            ORDER BY enterprise, type, id LIMIT $4
            """
        )
    )
    private static let activations = TracedTable(
        "activations",
        key: ["id": .text("")],
        [.activation: 1..<8],
        oldest: Statement("SELECT MIN(issued) FROM activations"),
        Statement(
            """
            SELECT id, enterprise, account_type, account_id, issued, deadline, state, closed
            FROM activations WHERE id > $1 ORDER BY id LIMIT $2
            """
        )
    )
    private static let devices = TracedTable(
        "devices",
        key: ["id": .bytes([])],
        [.device: 1..<9, .notifications: 9..<10],
        Statement(
            """
            SELECT id, enterprise, account_type, account_id, public_key, token, name, standing,
                activated, notifications
            FROM devices WHERE id > $1 ORDER BY id LIMIT $2
            """
        )
    )
    private static let credentials = TracedTable(
        "credentials",
        key: ["device": .bytes([]), "kind": .integer(0)],
        [.credential: 2..<9, .failures: 9..<14],
        Statement(
            """
            SELECT device, kind, id, generation, counter, standing, confirmed_in, copy_noticed,
                counted_with, failures_in_a_row, locks_in_a_row, locked_until, blocked, failures
            FROM credentials WHERE (device, kind) > ($1, $2) ORDER BY device, kind LIMIT $3
            """
        )
    )
    private static let transactions = TracedTable(
        "transactions",
        key: ["id": .text("")],
        [.transaction: 1..<8, .outcome: 8..<14],
        Statement(
            """
            SELECT id, enterprise, account_type, account_id, canonical_bytes,
                accepted_authentication, created, deadline, state, closed, device, detail,
                evidence, CASE WHEN number IS NULL THEN 0 ELSE 1 END
            FROM transactions WHERE id > $1 ORDER BY id LIMIT $2
            """
        )
    )
    private static let archivedTransactions = TracedTable(
        "archived_transactions",
        key: ["id": .text("")],
        [.transaction: 1..<8, .outcome: 8..<14],
        Statement(
            """
            SELECT id, enterprise, account_type, account_id, canonical_bytes,
                accepted_authentication, created, deadline, state, closed, device, detail,
                evidence, 0
            FROM archived_transactions WHERE id > $1 ORDER BY id LIMIT $2
            """
        )
    )
    private static let attempts = TracedTable(
        "attempts",
        key: ["device": .bytes([]), "id": .bytes([])],
        [.attempt: 2..<5],
        oldest: Statement("SELECT MIN(made) FROM attempts"),
        unrecorded: .text(AttemptVerdict.unchanged.stored),
        Statement(
            """
            SELECT device, id, made, fingerprint, verdict FROM attempts
            WHERE (device, id) > ($1, $2) ORDER BY device, id LIMIT $3
            """
        )
    )
    private static let logins = TracedTable(
        "logins",
        key: ["id": .text("")],
        [.login: 1..<9],
        oldest: Statement("SELECT MIN(granted) FROM logins"),
        Statement(
            """
            SELECT id, enterprise, account_type, account_id, device, type, data_digest, granted,
                redeemed
            FROM logins WHERE id > $1 ORDER BY id LIMIT $2
            """
        )
    )
    private static let bankTokens = TracedTable(
        "bank_tokens",
        key: ["id": .bytes([])],
        [.bankToken: 1..<8],
        Statement(
            """
            SELECT id, secret_digest, name, enterprise, role, created, expiry, revoked
            FROM bank_tokens WHERE id > $1 ORDER BY id LIMIT $2
            """
        )
    )
    private static let bankCalls = TracedTable(
        "bank_calls",
        key: ["enterprise": .text(""), "name": .text("")],
        [.call: 2..<5],
        oldest: Statement("SELECT MIN(made) FROM bank_calls"),
        Statement(
            """
            SELECT enterprise, name, made, fingerprint, outcome FROM bank_calls
            WHERE (enterprise, name) > ($1, $2) ORDER BY enterprise, name LIMIT $3
            """
        )
    )
}
