import Storage
import TransactionApproval

extension Ledger {
    /// Moves at most `limit` transactions that ended before `end` to the archive.
    ///
    /// A transaction stays if the archive has another row with its id, which another program wrote.
    func archiveTransactions(before end: Timestamp, limit: Int) throws(StoreFailure) -> Int {
        let batch = [SQLValue(end), SQLValue(limit)]
        let archived = try connection.run(Self.archiveTransactions, batch)
        return max(archived, try connection.run(Self.deleteTransactions, batch))
    }

    /// Deletes at most `limit` rows that are older than `end`.
    func delete(
        _ oldRows: Statement,
        before end: Timestamp,
        limit: Int
    ) throws(StoreFailure) -> Int {
        try connection.run(oldRows, [SQLValue(end), SQLValue(limit)])
    }

    /// A pending, closed or archived transaction.
    func transactionOrArchived(_ id: TransactionID) throws(StoreFailure) -> TransactionRecord? {
        if let found = try transaction(id) { return found }
        return try archivedTransaction(id)
    }

    func archivedTransaction(_ id: TransactionID) throws(StoreFailure) -> TransactionRecord? {
        try row(Self.selectArchived, [SQLValue(id)]).map(record(_:))
    }

    func archivedTransactions(
        of account: AccountReference,
        before cursor: TransactionCursor,
        limit: Int
    ) throws(StoreFailure) -> [TransactionRecord] {
        let page: [SQLValue] = .page(of: account, before: cursor, limit: limit)
        return try rows(Self.selectArchivedPage, page, record(_:))
    }

    // An archived transaction has no number.
    private static let selectArchivedPage = Statement(
        """
        SELECT \(Table.archivedTransactions.columns), \(.number, from: "NULL")
        FROM archived_transactions WHERE \(match: .account) AND (created, id) < ($4, $5)
        ORDER BY created DESC, id DESC LIMIT $6
        """
    )
    private static let archiveTransactions = Statement(
        """
        INSERT INTO archived_transactions (\(names: Table.archivedTransactions.columns))
        SELECT \(names: Table.archivedTransactions.columns) FROM transactions WHERE id IN
            (SELECT id FROM transactions WHERE closed < $1 AND tag IS NOT NULL AND NOT EXISTS
                (SELECT 1 FROM archived_transactions
                WHERE archived_transactions.id = transactions.id)
            ORDER BY closed, id LIMIT $2)
        """
    )
    // A copy with another tag is not a copy.
    private static let deleteTransactions = Statement(
        """
        DELETE FROM transactions WHERE id IN
            (SELECT id FROM transactions WHERE closed < $1 AND EXISTS
                (SELECT 1 FROM archived_transactions
                WHERE archived_transactions.id = transactions.id
                    AND archived_transactions.tag = transactions.tag)
            ORDER BY closed, id LIMIT $2)
        """
    )
    private static let selectArchived = Statement(
        """
        SELECT \(Table.archivedTransactions.columns), \(.number, from: "NULL")
        FROM archived_transactions WHERE \(match: [.id])
        """
    )
}

extension Statement {
    static let deleteOldAttempts = Statement(
        """
        DELETE FROM attempts WHERE (device, id) IN
            (SELECT device, id FROM attempts WHERE created < $1 ORDER BY created LIMIT $2)
        """
    )
    static let deleteOldLogins = Statement(
        """
        DELETE FROM logins WHERE id IN
            (SELECT id FROM logins WHERE granted < $1 ORDER BY granted LIMIT $2)
        """
    )
    /// Dead letters stay until an operator has looked at them.
    static let deleteOldDeliveries = Statement(
        """
        DELETE FROM outbox WHERE (sequence, target, device) IN
            (SELECT sequence, target, device FROM outbox
            WHERE state = \(Delivery.State.delivered) AND due < $1
            ORDER BY due LIMIT $2)
        """
    )
    static let deleteOldActivations = Statement(
        """
        DELETE FROM activations WHERE id IN
            (SELECT id FROM activations WHERE closed < $1 ORDER BY closed LIMIT $2)
        """
    )
    static let deleteOldCalls = Statement(
        """
        DELETE FROM bank_calls WHERE (enterprise, idempotency_key) IN
            (SELECT enterprise, idempotency_key FROM bank_calls WHERE created < $1
            ORDER BY created LIMIT $2)
        """
    )
    static let deleteOldRequests = Statement(
        """
        DELETE FROM requested_calls WHERE id IN
            (SELECT id FROM requested_calls WHERE created < $1 ORDER BY created LIMIT $2)
        """
    )
}
