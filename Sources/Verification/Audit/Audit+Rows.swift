import Storage

extension Audit {
    /// Compares every row with the last record about it.
    mutating func compareRows(_ progress: (AuditProgress) throws(StoreFailure) -> Void)
        throws(StoreFailure)
    {
        let count = try lastTraces.count()
        var compared: UInt64 = 0
        for table in TracedTable.all {
            var last: [SQLValue]?
            while let page = try ledger.found(
                in: table,
                after: last,
                limit: AuditVerification.recordsAtOnce
            ) {
                for row in page.rows { compared += try compare(row) }
                last = page.last
                try progress(.rows(compared, of: count))
            }
        }
        try reportMissing { () throws(StoreFailure) in try progress(.rows(compared, of: count)) }
        try reportFollowedActivations()
        try compareDeliveries { () throws(StoreFailure) in try progress(.rows(count, of: count)) }
    }

    /// Reports only the first finding about a row; returns the number of its traces.
    private mutating func compare(_ row: TracedTable.Found) throws(StoreFailure) -> UInt64 {
        // The number of the record that created the row, and with it the row's other parts.
        var made: UInt64?
        var finding: AuditFinding?
        var count: UInt64 = 0
        for (name, digest) in row.parts {
            let claim = try lastTraces.take(name)
            made = made ?? claim?.sequence
            if claim != nil { count += 1 }
            guard claim != nil || row.needsRecord else { continue }
            guard finding == nil, digest != claim?.digest ?? initial[name.part] else { continue }
            finding = AuditFinding(
                sequence: claim?.sequence ?? made ?? 0,
                kind: made == nil
                    ? .unrecorded(row: row.description) : .contradicted(row: row.description)
            )
        }
        if finding == nil, row.isArchivedEarly {
            finding = AuditFinding(
                sequence: made ?? 0,
                kind: .archivedEarly(row: row.description)
            )
        }
        if let finding { report.add(finding.kind, at: finding.sequence) }
        return count
    }

    /// A delivery has no trace, but contains the same values as its record.
    private mutating func compareDeliveries(
        _ progress: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        var last: [SQLValue]?
        while true {
            let page = try ledger.deliveries(after: last, limit: AuditVerification.recordsAtOnce)
            guard let end = page.last else { return }
            for delivery in page where !delivery.isOfRecord {
                let row = Table.outbox.description(of: Array(delivery.key.dropLast()))
                // `try?`: the number has the wrong type.
                let sequence = (try? delivery.key[0].integer) ?? 0
                report.add(.contradicted(row: row), at: UInt64(clamping: sequence))
            }
            last = end.key
            try progress()
        }
    }

    /// Reports claims without a row.
    private mutating func reportMissing(
        _ progress: () throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        var last: TracedRow?
        while true {
            let missing = try lastTraces.remaining(
                after: last,
                limit: AuditVerification.recordsAtOnce
            )
            guard let end = missing.last else { return }
            for (row, sequence) in missing {
                // Report the row once: by its first part.
                guard
                    let table = TracedTable.first(with: row.part),
                    table.parts.first == row.part,
                    let first = firstKept[row.part], sequence >= first
                else { continue }
                report.add(.missing(row: table.description(of: row)), at: sequence)
            }
            last = end.row
            try progress()
        }
    }
    /// Issuing an activation closes the one before, unless its row is hidden meanwhile.
    private mutating func reportFollowedActivations() throws(StoreFailure) {
        for id in try ledger.followedActivations() {
            let row = Table.activations.description(of: [id])
            report.add(.followed(row: row), about: row)
        }
    }
}
