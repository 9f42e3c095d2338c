import CommandLineTool
import ConfigurationFiles
import Cryptography
import PrivateFiles
import Storage
import Verification

extension Installation {
    /// Opens store and journal, and audits them.
    ///
    /// An auditor has only the public key of the journal, and may have a backup of the store.
    func audit<Outcome>(
        withKey publicKey: FilePath?,
        on terminal: Terminal,
        _ body: (any Database, AuditReport) async throws(CommandFailure) -> Outcome
    ) async throws(CommandFailure) -> Outcome {
        let journal = try publicKey.map { file throws(CommandFailure) in
            try openJournalFile(signedBy: PublicKeyFile.key(in: file), for: .reading)
        }
        let keys = journal == nil ? try availableKeys() : nil
        let used = if let journal { journal } else { try openJournalFile() }
        return try await withStore(checksWholeFile: true) { store throws(CommandFailure) in
            let report = try await audit(
                KeyedStore(store, keys),
                against: used,
                by: journal == nil ? .operatorCommand : .holderOfPublicKey,
                on: terminal
            )
            return try await body(store, report)
        }
    }

    /// Audits a store, with a progress bar.
    func audit(
        _ store: KeyedStore,
        against journal: JournalFile? = nil,
        by auditor: AuditVerification.Auditor = .operatorCommand,
        on terminal: Terminal
    ) async throws(CommandFailure) -> AuditReport {
        let records = ProgressBar("Verifying", on: terminal)
        let rows = ProgressBar("Comparing rows", on: terminal)
        let tags = ProgressBar("Checking tags", on: terminal)
        let decisions = ProgressBar("Verifying signatures", on: terminal)
        defer { decisions.clear() }
        return try await onJournal(
            try await AuditVerification.run(
                over: store,
                against: journal,
                by: auditor
            ) { progress in
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
