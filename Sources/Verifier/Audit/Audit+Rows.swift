extension Audit {
    /// Compares every row with what the last record about it says.
    mutating func compareRows() throws(StoreFailure) {
        let initial = try initialDigests()
        for table in TracedTable.all {
            var last: [SQLValue]?
            while let page = try ledger.found(
                in: table,
                after: last,
                limit: AuditVerification.recordsAtOnce
            ) {
                for row in page.rows { try compare(row, initial) }
                last = page.last
            }
        }
        try reportMissing()
        try compareDeliveries()
    }

    private func initialDigests() throws(StoreFailure) -> [TracedPart: [UInt8]] {
        var digests: [TracedPart: [UInt8]] = [:]
        for part in TracedTable.all.flatMap(\.parts) {
            digests[part] = try part.initial.map { values throws(StoreFailure) in
                try values.traceDigest()
            }
        }
        return digests
    }

    /// Says of a row only what is wrong first.
    private mutating func compare(
        _ row: TracedTable.Found,
        _ initial: [TracedPart: [UInt8]]
    ) throws(StoreFailure) {
        // Of the record that made the row, which says of its other parts that they begin.
        var made: UInt64?
        var finding: AuditFinding?
        for (name, digest) in row.parts {
            let claim = try lastTraces.take(name)
            made = made ?? claim?.sequence
            guard finding == nil, digest != claim?.digest ?? initial[name.part] else { continue }
            finding = AuditFinding(
                sequence: claim?.sequence ?? made ?? 0,
                fault: made == nil
                    ? .unrecorded(row: row.description) : .contradicted(row: row.description)
            )
        }
        if let finding { report.add(finding.fault, at: finding.sequence) }
    }

    /// A delivery has no trace: it repeats what its record says.
    private mutating func compareDeliveries() throws(StoreFailure) {
        var last = (sequence: Int64.min, target: Int64.min)
        while true {
            let page = try ledger.deliveries(after: last, limit: AuditVerification.recordsAtOnce)
            guard let end = page.last else { return }
            for delivery in page where !delivery.isOfRecord {
                let row = "outbox sequence=\(delivery.sequence) target=\(delivery.target)"
                report.add(.contradicted(row: row), at: UInt64(clamping: delivery.sequence))
            }
            last = (end.sequence, end.target)
        }
    }

    /// What nothing was taken of has no row.
    private mutating func reportMissing() throws(StoreFailure) {
        var last: TracedRow?
        while true {
            let rest = try lastTraces.rest(after: last, limit: AuditVerification.recordsAtOnce)
            guard let end = rest.last else { return }
            for (row, sequence) in rest {
                guard let description = TracedTable.lastingRow(row) else { continue }
                report.add(.missing(row: description), at: sequence)
            }
            last = end.row
        }
    }
}
