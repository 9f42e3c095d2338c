import Storage

extension Audit {
    /// Checks the tags of all rows, and opens all secrets; a reader without keys cannot.
    mutating func checkWithKeys(_ progress: (AuditProgress) throws(StoreFailure) -> Void)
        throws(StoreFailure)
    {
        guard ledger.keyRing != nil else { return }
        report.hasCheckedTags = true
        let (count, limit) = (try ledger.taggedRowCount(), AuditVerification.recordsAtOnce)
        var checked: UInt64 = 0
        for table in TaggedTable.rows {
            var last: [SQLValue]?
            while let page = try ledger.forgedRows(in: table, after: last, limit: limit) {
                for row in page.rows { report.add(.forged(row: row), about: row) }
                checked += UInt64(page.count)
                last = page.last
                try progress(.tags(checked, of: count))
            }
        }
        for table in SealedTable.all {
            var last: [SQLValue]?
            while let page = try ledger.unopenedRows(in: table, after: last, limit: limit) {
                for row in page.rows { report.add(.unopened(row: row), about: row) }
                last = page.last
                try progress(.tags(checked, of: count))
            }
        }
    }
}
