import Cryptography
import Storage
import TransactionApproval

/// A table whose rows have audit records, read with whatever another writer put into it.
struct TracedTable: Sendable {
    fileprivate let table: Table
    let parts: [TracedPart]
    fileprivate let select: PagedStatement
    /// The earliest time of its rows, if a retention deletes old rows, and how long it keeps a row
    /// after its last record.
    fileprivate let oldest: (select: Statement, time: Column, kept: Duration)?
    /// The rows that need no audit record.
    private let unrecorded: (column: Column, value: SQLValue)?
    /// How long after its end a row is moved here; nil for a table that is not an archive.
    private let archivedAfter: Duration?

    /// A row with the digest of each of its parts.
    struct Found {
        let description: String
        let needsRecord: Bool
        /// Whether no retention can have moved the row to this archive yet.
        let isArchivedEarly: Bool
        let parts: [(name: TracedRow, digest: [UInt8])]
    }

    /// `hasNumber` computes the column of this name.
    private init(
        _ table: Table,
        _ parts: [TracedPart],
        oldest: (time: Column, kept: Duration)? = nil,
        unrecorded: (column: Column, value: SQLValue)? = nil,
        hasNumber: StaticString? = nil,
        archivedAfter: Duration? = nil
    ) {
        self.table = table
        self.parts = parts
        self.unrecorded = unrecorded
        self.archivedAfter = archivedAfter
        self.oldest = oldest.map { time, kept in
            (Statement("SELECT \(minimum: time) FROM \(table)"), time, kept)
        }
        let columns = table.key + parts.flatMap(\.columns).filter { $0 != .hasNumber }
        select =
            if let hasNumber {
                PagedStatement(
                    "SELECT \(columns), \(.hasNumber, from: hasNumber) FROM \(table)",
                    by: table.key
                )
            } else {
                PagedStatement("SELECT \(columns) FROM \(table)", by: table.key)
            }
    }

    /// The table in which the rows of a part are first stored.
    static func first(with part: TracedPart) -> TracedTable? {
        all.first { $0.parts.contains(part) }
    }

    /// Whether no retention deletes its rows.
    var isLasting: Bool { oldest == nil }

    /// A retention runs at most this long after the last record, with a margin.
    private static let maximumDelay = VerifierClock.maximumQuiet * 2

    /// The moment since which no retention has deleted the row of a record, if the last record is of
    /// `end`.
    func keptSince(_ end: Timestamp) -> Timestamp {
        guard let oldest else { return .earliest }
        return end + Self.maximumDelay - oldest.kept
    }

    /// The table and key of a row, for an operator.
    func description(of row: TracedRow) -> String { table.description(of: row.key ?? []) }

    /// `end` is the time of the last record.
    fileprivate func found(_ row: Row, asOf end: Timestamp) throws(StoreFailure) -> Found {
        let key = try row[table.key]
        var needsRecord = true
        if let unrecorded { needsRecord = try row[unrecorded.column] != unrecorded.value }
        return Found(
            description: table.description(of: key),
            needsRecord: needsRecord,
            isArchivedEarly: try isArchivedEarly(row, asOf: end),
            parts: try parts.map { part throws(StoreFailure) in
                (TracedRow(part, key), try row[part.columns].traceDigest())
            }
        )
    }

    private func isArchivedEarly(
        _ row: Row,
        asOf end: Timestamp
    ) throws(StoreFailure) -> Bool {
        guard let archivedAfter else { return false }
        guard case .integer(let closed) = try row[.closed] else { return true }
        return closed >= Int64((end + Self.maximumDelay - archivedAfter).milliseconds)
    }
}

extension Ledger {
    /// The rows after the key `last`; nil at the end of the table.
    func found(
        in table: TracedTable,
        after last: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> (rows: [TracedTable.Found], last: [SQLValue])? {
        let page = try page(table.select, of: table.table, after: last, limit: limit)
        guard let page else { return nil }
        let moment = try state().audit.moment
        let found = try page.rows.map { row throws(StoreFailure) in
            try table.found(row, asOf: moment)
        }
        return (found, page.last)
    }

    /// The earliest time, in milliseconds, that a row of a table can have; nil if there are no rows.
    func oldest(in table: TracedTable) throws(StoreFailure) -> Int64? {
        guard let oldest = table.oldest else { return .min }
        return try row(oldest.select, [])?.optionalInteger(oldest.time)
    }
}

extension SQLValue {
    /// For an operator.
    var plainText: String {
        switch self {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .text(let text): text
        case .bytes(let bytes), .malformedText(let bytes):
            TextEncoding.hexadecimal.encode(bytes.span)
        }
    }
}

extension TracedTable {
    /// The archive comes after the table that its rows come from.
    static let all = [
        TracedTable(.verifier, [.verifier]),
        TracedTable(.enterprises, [.enterprise]),
        TracedTable(.accounts, [.account, .testMark, .consents]),
        TracedTable(
            .activations,
            [.activation, .webActivation],
            oldest: (.issued, kept: Retention.default.activations)
        ),
        TracedTable(.devices, [.device, .notifications, .wait, .webDevice]),
        TracedTable(.credentials, [.credential, .failures]),
        TracedTable(
            .transactions,
            [.transaction, .outcome, .source],
            hasNumber: "CASE WHEN number IS NULL THEN 0 ELSE 1 END"
        ),
        TracedTable(
            .archivedTransactions,
            [.transaction, .outcome, .source],
            hasNumber: "0",
            archivedAfter: Retention.default.transactions
        ),
        TracedTable(
            .logins,
            [.login],
            oldest: (.granted, kept: Retention.default.logins - LoginGrant.lifetime)
        ),
        TracedTable(
            .attempts,
            [.attempt],
            oldest: (.created, kept: Retention.default.attempts),
            unrecorded: (.verdict, .text(AttemptVerdict.unchanged.stored))
        ),
        TracedTable(.bankTokens, [.bankToken]),
        TracedTable(
            .bankCalls,
            [.call],
            oldest: (.created, kept: Retention.default.attempts)
        ),
        TracedTable(
            .requestedCalls,
            [.requestedCall],
            oldest: (.created, kept: Retention.default.attempts - RequestedCall.lifetime)
        ),
    ]
}
