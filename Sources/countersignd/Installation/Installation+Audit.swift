import CommandLineTool
import Sealing
import Storage
import Verification

extension Installation {
    /// Audits a store, with a progress bar.
    func audit(
        _ store: any Database,
        _ keys: KeyRing?,
        against journal: JournalFile? = nil,
        on terminal: Terminal
    ) async throws(CommandFailure) -> AuditReport {
        let records = ProgressBar("Verifying", on: terminal)
        let rows = ProgressBar("Comparing rows", on: terminal)
        let tags = ProgressBar("Checking tags", on: terminal)
        let decisions = ProgressBar("Verifying signatures", on: terminal)
        defer { decisions.clear() }
        return try await onJournal(
            try await AuditVerification.run(over: store, keys, against: journal) { progress in
                switch progress {
                case .records(let checked, let count): records.show(checked, of: count)
                case .rows(let compared, let count): rows.show(compared, of: count)
                case .tags(let checked, let count): tags.show(checked, of: count)
                case .transactions(let checked, let count): decisions.show(checked, of: count)
                }
            }
        )
    }

    private static let pageSize = 1000

    /// Counts the records up to `last`.
    func counts(
        of store: any Database,
        upTo last: UInt64,
        by period: AuditCounts.Period
    ) async throws(CommandFailure) -> AuditCounts {
        var (counts, read) = (AuditCounts(by: period), UInt64(0))
        while read < last {
            let limit = Int(min(UInt64(Self.pageSize), last - read))
            let page = try await self.read(store) { [read] ledger throws(StoreFailure) in
                try ledger.auditRecords(after: read, limit: limit)
            }
            guard let end = page.last?.sequence else { break }
            for record in page { counts.add(record) }
            read = end
        }
        return counts
    }
}
