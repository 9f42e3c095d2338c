import CommandLineTool
import Verification

extension Installation {
    /// Audits a store, and shows how far it is.
    func audit(
        _ store: any Database,
        against journal: JournalFile? = nil,
        on terminal: Terminal
    ) async throws(CommandFailure) -> AuditReport {
        let records = ProgressBar("Verifying", on: terminal)
        let rows = ProgressBar("Comparing rows", on: terminal)
        defer { rows.clear() }
        return try await onJournal { () throws(JournalFailure) in
            try await AuditVerification.run(over: store, against: journal) { progress in
                switch progress {
                case .records(let checked, let count): records.show(checked, of: count)
                case .rows(let compared, let count): rows.show(compared, of: count)
                }
            }
        }
    }
}
