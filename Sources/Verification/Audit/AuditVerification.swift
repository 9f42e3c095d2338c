import Storage

/// Checks a whole trail and the rows of the store against it.
///
/// It reads one committed state, some records at a time, while decisions go on. Without the encryption
/// keys, an auditor needs the store, its journal and the public half of the checkpoint key. The evidence:
/// * The chain of hashes proves that no record was changed, removed, added or moved, unless all later
///   hashes were computed again. It has no key, so a writer to the database can do that.
/// * The journal is signed and stored elsewhere. It proves that the trail up to its last checkpoint
///   is unchanged since it was signed. It does not cover later records. It does not show that the
///   journal was cut together with the trail: compare it with a copy in another place.
/// * Each record contains digests of the old and new values of all rows that were written with it. So
///   each row must match its last record, each old value must match the record before, and each row
///   must have a record. This finds rows that were added, removed, exchanged, changed or reset,
///   including counters and locks, even if the verifier has written to them since. A counter can be
///   guessed from its digest; that helps only with the device, which has the counter in plain text.
/// * Each decision has a signature by the key of its device, which the verifier cannot make.
/// * With the encryption keys, the audit also checks the tag of each row and opens each secret.
/// * After a break of the chain, no row is compared with its records. All other checks still run, so
///   a broken record does not hide a forged row. The report is not complete.
/// * Changes without a record are not compared: the state of deliveries, the progress of imports,
///   wrong activation codes and claims, and attempts that changed nothing. A sealed value does not
///   open if it was changed or moved; an older one of the same generation is the same secret.
/// * A record of `store.restored` contains the end of the backup and the discarded head. Lines of the
///   journal that are not in the trail must be discarded ones, before the line of the restore.
/// * The file of the last head shows that no result was returned that the store lacks.
/// * A missing login, activation, call or verdict is reported as long as no retention deletes it.
///   Missing deliveries are not reported: the bank can read the trail.
package enum AuditVerification {
    package enum Auditor: Sendable {
        /// A running verifier; it fails if its own row is not authentic under the keys.
        case verifier
        /// An unauthentic row of the verifier is a finding, and the audit continues without the keys.
        case operatorCommand
        /// An auditor has only the public key of the journal, and may have a backup.
        case holderOfPublicKey

        fileprivate var checksEvidence: Bool { self != .verifier }
        fileprivate var toleratesState: Bool { self != .verifier }
        fileprivate var acceptsBackup: Bool { self == .holderOfPublicKey }
    }

    static let recordsAtOnce = 1000

    /// Memory use does not grow with the store: a temporary file contains the last trace of each row,
    /// about a hundred bytes per row.
    ///
    package static func run(
        over store: KeyedStore,
        against journal: JournalFile? = nil,
        by auditor: Auditor = .operatorCommand,
        progress: @escaping AuditProgress.Observer = { _ in }
    ) async throws(JournalFailure) -> AuditReport {
        let journal = try await Journal.blocking { () throws(JournalFailure) in
            try journal.map { file throws(JournalFailure) in try ReadJournal(file) }
        }
        return try await Journal.onStore(
            try await store.scan { ledger throws(StoreFailure) in
                let isAuthentic = auditor.toleratesState ? try ledger.hasAuthenticState() : true
                var audit = try Audit(ledger: isAuthentic ? ledger : Ledger(ledger.connection, nil))
                if !isAuthentic { audit.report.add(.unauthenticState, at: 0) }
                try audit.walk(progress)
                if audit.report.isComplete { try audit.compareRows(progress) }
                try audit.checkWithKeys(progress)
                if auditor.checksEvidence { try audit.checkEvidence(progress) }
                if !auditor.acceptsBackup { try audit.checkMark() }
                try audit.checkRecordsAfterBreak(progress)
                return Result { () throws(JournalFailure) in
                    do throws(JournalFailure) {
                        if let journal { try audit.compare(with: journal) }
                    } catch .foreign where audit.ledger.keyRing == nil {
                        audit.report.add(.foreignJournal, at: 0)
                    }
                    return audit.report
                }
            }
        ).get()
    }

    /// Checks only the tags and secrets of the rows, without the trail.
    package static func checkRows(
        of store: KeyedStore
    ) async throws(JournalFailure) -> AuditReport {
        try await Journal.onStore(
            try await store.scan { ledger throws(StoreFailure) in
                var audit = try Audit(ledger: ledger)
                // The verifier's own row is not one of the tables.
                _ = try ledger.state()
                try audit.checkWithKeys { _ in }
                return audit.report
            }
        )
    }
}

/// A journal as it was before the store was read: later lines may be about later records.
private struct ReadJournal: Sendable {
    let file: JournalFile
    let end: JournalFile.End
    /// Nil if its file is missing or damaged.
    let returned: Checkpoint?

    init(_ file: JournalFile) throws(JournalFailure) {
        self.file = file
        end = try file.read()
        do throws(JournalFailure) {
            returned = try file.headFile().last()
        } catch .lostHead {
            returned = nil
        }
    }
}

extension Audit {
    fileprivate mutating func compare(with journal: ReadJournal) throws(JournalFailure) {
        try compare(with: journal.file, journal.end.lineCount)
        guard let returned = journal.returned else { return report.add(.lostHead, at: 0) }
        if let line = journal.end.checkpoint { try compare(with: returned, after: line) }
    }
}

/// The progress of an audit: first it reads the trail, then the rows.
package enum AuditProgress: Sendable {
    case records(UInt64, of: UInt64)
    case rows(UInt64, of: UInt64)
    case tags(UInt64, of: UInt64)
    case transactions(UInt64, of: UInt64)
}
