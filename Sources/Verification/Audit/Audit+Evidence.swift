import Storage
import TransactionApproval

extension Audit {
    /// Verifies the device's signature of each decision.
    mutating func checkEvidence(
        _ progress: (AuditProgress) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        // Rows without a valid tag are findings of their own.
        let reader = Ledger(ledger.connection, nil)
        var (checked, count) = (UInt64(0), UInt64(0))
        for statement in Self.counts { count += try ledger.row(statement, [])?.number(.count) ?? 0 }
        for (table, select) in Self.decisions {
            var last: [SQLValue]?
            while let page = try reader.unproven(select, after: last) {
                for id in page.unproven {
                    let row = table.description(of: [id])
                    report.add(.unproven(row: row), about: row)
                }
                checked += UInt64(page.count)
                last = page.last
                try progress(.transactions(checked, of: count))
            }
        }
    }

    private static let counts = [
        Statement("SELECT \(.count, from: "COUNT(*)") FROM transactions"),
        Statement("SELECT \(.count, from: "COUNT(*)") FROM archived_transactions"),
    ]
    private static let decisions = [
        (
            Table.transactions,
            PagedStatement(
                "SELECT \(Table.transactions.columns) FROM transactions",
                by: [.id]
            )
        ),
        (
            Table.archivedTransactions,
            PagedStatement(
                """
                SELECT \(Table.archivedTransactions.columns), \(.number, from: "NULL")
                FROM archived_transactions
                """,
                by: [.id]
            )
        ),
    ]
}

extension Ledger {
    /// The decisions of the next rows that have no valid signature; nil at the end of the table.
    fileprivate func unproven(
        _ select: PagedStatement,
        after last: [SQLValue]?
    ) throws(StoreFailure) -> (unproven: [SQLValue], count: Int, last: [SQLValue])? {
        let limit = AuditVerification.recordsAtOnce
        let rows = try connection.rows(select, after: last, limit: limit)
        guard let end = rows.last else { return nil }
        var unproven: [SQLValue] = []
        for row in rows {
            // `try?`: a malformed row differs from its record.
            guard let record = try? record(row) else { continue }
            if try !hasProof(record) { unproven.append(try row[.id]) }
        }
        return (unproven, rows.count, [try end[.id]])
    }

    /// False if the row of the device is malformed.
    private func hasProof(_ record: TransactionRecord) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            return try isProven(record)
        } catch {
            guard error.isOfOneRow else { throw error }
            return false
        }
    }
}
