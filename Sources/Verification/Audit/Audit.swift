import Cryptography
import FailureTranslation
import PrivateFiles
import Storage
import TransactionApproval

/// One audit of one committed state of the store.
struct Audit {
    let ledger: Ledger
    var report = AuditReport()
    let lastTraces: LastTraces
    /// The digests of first values that need no record.
    let initial: [TracedPart: [UInt8]]
    private let oldest: [TracedPart: Int64]
    /// The moments since which no retention has deleted rows, until their first record is found.
    private var keptSince: [TracedPart: Timestamp] = [:]
    /// The first record of each part whose row no retention has deleted.
    private(set) var firstKept: [TracedPart: UInt64] = [:]
    private var head = AuditHead.empty
    /// The number after which no link of the chain was checked; nil for a chain without a break.
    private var unlinked: Int64?

    init(ledger: Ledger) throws(StoreFailure) {
        self.ledger = ledger
        lastTraces = try LastTraces()
        var (initial, oldest): ([TracedPart: [UInt8]], [TracedPart: Int64]) = ([:], [:])
        let end = try ledger.state().audit.moment
        for table in TracedTable.all {
            let kept = table.keptSince(end)
            let first = min(try ledger.oldest(in: table) ?? .max, Int64(kept.milliseconds))
            for part in table.parts {
                keptSince[part] = kept
                oldest[part] = first
                initial[part] = try part.initial?.traceDigest()
            }
        }
        (self.initial, self.oldest) = (initial, oldest)
    }

    /// Follows the chain from its first record to the store's head, or to the first break.
    mutating func walk(_ progress: (AuditProgress) throws(StoreFailure) -> Void)
        throws(StoreFailure)
    {
        let end = try ledger.state().audit
        var last = Int64.min
        while true {
            let rows = try ledger.auditRows(after: last, limit: AuditVerification.recordsAtOnce)
            guard let newest = rows.last?.sequence else { break }
            for row in rows {
                guard try follow(row) else {
                    // The finding names the next number, which can be missing.
                    let isNamed = row.sequence == Int64(head.sequence + 1)
                    unlinked = isNamed ? row.sequence : row.sequence - 1
                    return
                }
            }
            last = newest
            try progress(.records(head.sequence, of: end.sequence))
        }
        report.isComplete = head == end
        guard !report.isComplete else { return }
        report.add(.endsElsewhere, at: head.sequence + (head.sequence < end.sequence ? 1 : 0))
    }

    /// Checks each record after a break by itself: its form and, with the keys, its tag.
    mutating func checkRecordsAfterBreak(
        _ progress: (AuditProgress) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        guard var last = unlinked else { return }
        let end = try ledger.state().audit.sequence
        while true {
            let rows = try ledger.auditRows(after: last, limit: AuditVerification.recordsAtOnce)
            guard let newest = rows.last?.sequence else { return }
            for row in rows {
                let sequence = UInt64(clamping: row.sequence)
                if row.record == nil {
                    report.add(.malformed, at: sequence)
                } else if row.isForged {
                    report.add(.forged(row: row.name), at: sequence)
                }
            }
            last = newest
            try progress(.records(UInt64(clamping: newest), of: end))
        }
    }

    /// Returns false if the row does not continue the chain.
    private mutating func follow(_ row: AuditRow) throws(StoreFailure) -> Bool {
        let next = head.sequence + 1
        guard row.sequence == Int64(next) else {
            report.add(.outOfSequence, at: next)
            return false
        }
        guard let record = row.record, let traces = RowTrace.read(record.traces) else {
            report.add(.malformed, at: next)
            return false
        }
        guard try translatingSystemFailure(head.precedes(record), to: StoreFailure.system) else {
            report.add(.brokenLink, at: next)
            return false
        }
        for (part, moment) in keptSince where record.moment >= moment {
            firstKept[part] = next
            keptSince[part] = nil
        }
        for trace in traces { try keep(trace, of: record) }
        if record.event.kind == .storeRestored {
            report.restores.append(record)
            // A restore deletes open logins without further records.
            if firstKept[.login] != nil { firstKept[.login] = next }
        }
        if row.isForged { report.add(.forged(row: row.name), at: next) }
        head = AuditHead(record)
        report.checked = next
        return true
    }

    /// Keeps a trace if its row can still exist.
    private mutating func keep(_ trace: RowTrace, of record: AuditRecord) throws(StoreFailure) {
        let (part, moment) = (trace.row.part, Int64(record.moment.milliseconds))
        guard
            let first = oldest[part], first <= moment,
            let table = TracedTable.first(with: part)
        else { return }
        let begun = trace.before == nil ? nil : initial[part]
        let before = try lastTraces.last(of: trace.row)?.digest ?? begun
        let isMade = before != nil || trace.before == nil || table.isLasting
        if before != trace.before, table.isLasting || before != nil && trace.before != nil {
            report.add(.wroteOver(row: table.description(of: trace.row)), at: record.sequence)
        }
        // An older row than all existing ones was deleted. If it exists, no record created it.
        let digest = isMade ? trace.digest : []
        try lastTraces.put(trace.row, digest, of: record.sequence)
    }

    mutating func checkMark() throws(StoreFailure) {
        let state = try ledger.state()
        if state.isBackup { report.add(.unrestored, at: state.audit.sequence) }
    }

    /// Every line must match this trail, except for lines that a restore discarded.
    mutating func compare(with journal: JournalFile, _ lineCount: Int) throws(JournalFailure) {
        var last: AuditHead?
        var remaining = lineCount
        var fork: AuditFinding?
        _ = try journal.read { line throws(JournalFailure) in
            guard remaining > 0 else { return }
            remaining -= 1
            let head = line.checkpoint.head
            switch try translating(ledger.check(line.checkpoint), to: JournalFailure.store) {
            case .refused(.foreign): throw .foreign
            case .refused:
                let kind = AuditFinding.Kind.forked(after: last?.sequence ?? 0)
                fork = fork ?? AuditFinding(sequence: head.sequence, kind: kind)
            case .accepted:
                last = head
                fork = nil
                // After a break, no signature proves the records before its own.
                if head.sequence <= report.checked { report.lastSigned = head }
            }
        }
        if let fork { report.add(fork.kind, at: fork.sequence) }
    }

    /// The store must contain all results that were returned.
    mutating func compare(
        with returned: Checkpoint,
        after line: Checkpoint
    ) throws(JournalFailure) {
        let result = try translating(
            ledger.check(returned: returned, after: line),
            to: JournalFailure.store
        )
        switch result {
        case .accepted: break
        case .refused(.foreign): throw .foreign
        case .refused:
            // A line of the journal shows the same, and more exactly.
            let isForked = report.findings.contains { finding in
                if case .forked = finding.kind { true } else { false }
            }
            if !isForked { report.add(.lacksReturned, at: returned.head.sequence) }
        }
    }
}
