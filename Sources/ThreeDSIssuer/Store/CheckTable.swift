import Cryptography
import Storage
import Transactions

/// The checks of authentication values with an idempotency key, in one transaction of the store.
///
/// Rows are removed after a time, and the oldest ones if there are too many.
struct CheckTable {
    let connection: any SQLConnection
    let seal: RowSeal
    let secrets: IssuerSecrets

    /// How long a repeated call gets the result of the first one.
    static let retention = Duration.seconds(7 * 86_400)
    static let maximumCount: Int64 = 1_000_000

    /// Nil if the key is new.
    func check(_ key: IdempotencyKey) throws(StoreFailure) -> StoredCheck? {
        let name = try name(of: key)
        guard let row = try connection.rows(.check, [.text(name)]).first else { return nil }
        let identity = RowIdentity.check(name, try row[Self.boundColumns])
        let content: Content = try seal.opened(row[.sealed], of: identity)
        // The content is sealed, so a malformed one is a bug: `try?`.
        guard let digest = try? TextEncoding.base64.decode(content.call) else { throw .damaged }
        return StoredCheck(call: digest, result: content.result)
    }

    func add(
        _ check: StoredCheck,
        _ key: IdempotencyKey,
        at now: Timestamp,
        keeping count: Int64 = maximumCount
    ) throws(StoreFailure) {
        try seal.checkNewestKey(on: connection)
        let last = try connection.rows(.lastCheck, []).first
        let number = try last.map { row throws(StoreFailure) in try row.integer(.number) } ?? 0
        // Only another program can have written such a number.
        guard number < .max else { throw .damaged }
        let columns: [SQLValue] = [.integer(number + 1), .integer(now.stored)]
        let content = Content(
            call: TextEncoding.base64.encode(check.call.span),
            verdict: check.result.verdict,
            approval: check.result.approval
        )
        let name = try name(of: key)
        try connection.change(
            Table.checks.insertion,
            [
                .key: .text(name), .number: columns[0], .made: columns[1],
                .sealed: try seal.sealed(content, for: .check(name, columns)),
            ]
        )
        try connection.run(.removeFirstChecks, [.integer(number + 1 - count)])
    }

    /// A keyed hash: a program could put a card number into the key of its call.
    private func name(of key: IdempotencyKey) throws(StoreFailure) -> String {
        let digest = try orStoreFailure(secrets.digest(ofCall: Array(key.text.utf8)))
        return TextEncoding.base64.encode(digest.span)
    }

    /// Removes at most `limit` calls that were made before `moment`, the oldest first, and returns
    /// their number.
    func removeOld(before moment: Timestamp, limit: Int) throws(StoreFailure) -> Int {
        try connection.run(
            .removeOldChecks,
            [.integer(moment.stored), .integer(Int64(limit))]
        )
    }

    /// The columns to which the content is bound, apart from the key.
    static let boundColumns: [Column] = [.number, .made]

    /// The sealed part of a row.
    private struct Content: Codable {
        let call: String
        let verdict: AuthenticationValueVerdict
        /// Omitted in rows of earlier versions, too.
        let approval: ProvedApproval?

        var result: CheckResult { CheckResult(verdict: verdict, approval: approval) }
    }
}

/// A call, and its result.
struct StoredCheck: Equatable, Sendable {
    /// A keyed hash of the whole call.
    let call: [UInt8]
    let result: CheckResult
}

extension Statement {
    fileprivate static let check = Statement(
        "SELECT \(Table.checks.columns) FROM checks WHERE \(match: [.key])"
    )
    fileprivate static let lastCheck = Statement(
        "SELECT \([Column.number]) FROM checks ORDER BY number DESC LIMIT 1"
    )
    fileprivate static let removeFirstChecks = Statement("DELETE FROM checks WHERE number <= $1")
    fileprivate static let removeOldChecks = Statement(
        """
        DELETE FROM checks WHERE key IN
            (SELECT key FROM checks WHERE made < $1 ORDER BY made LIMIT $2)
        """
    )
}
