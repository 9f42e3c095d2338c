package import Sealing
package import Storage

/// Checks a whole trail and the rows of the store against it.
///
/// It reads one committed state, some records at a time, while decisions go on. Without the encryption
/// keys, an auditor needs the store, its journal and the public half of the audit key. The evidence:
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
    static let recordsAtOnce = 1000

    /// Memory use does not grow with the store: a temporary file contains the last trace of each row,
    /// about a hundred bytes per row.
    package static func run(
        over store: any Database,
        _ keys: KeyRing? = nil,
        against journal: JournalFile? = nil,
        withEvidence checksEvidence: Bool = true,
        progress: @escaping @Sendable (AuditProgress) throws(StoreFailure) -> Void = { _ in }
    ) async throws(JournalFailure) -> AuditReport {
        // Later lines may be about records after the state that is read.
        let (end, returned, isHeadLost) = try await Journal.blocking {
            () throws(JournalFailure) -> (JournalFile.End?, Checkpoint?, Bool) in
            let end = try journal?.read()
            do throws(JournalFailure) {
                return (end, try journal?.headFile().last(), false)
            } catch .lostHead {
                return (end, nil, true)
            }
        }
        let result = try await Journal.scan(store, keys) {
            ledger throws(StoreFailure) -> Result<AuditReport, JournalFailure> in
            var audit = try Audit(ledger: ledger)
            try audit.walk(progress)
            if audit.report.isComplete { try audit.compareRows(progress) }
            try audit.checkWithKeys(progress)
            if checksEvidence { try audit.checkEvidence(progress) }
            try audit.checkMark()
            try audit.checkRecordsAfterBreak(progress)
            return Result { () throws(JournalFailure) in
                if let journal, let end { try audit.compare(with: journal, end.lineCount) }
                if isHeadLost { audit.report.add(.lostHead, at: 0) }
                if let returned, let line = end?.checkpoint {
                    try audit.compare(with: returned, after: line)
                }
                return audit.report
            }
        }
        return try result.get()
    }

    /// Checks only the tags and secrets of the rows, without the trail.
    package static func checkRows(
        of store: any Database,
        _ keys: KeyRing
    ) async throws(JournalFailure) -> AuditReport {
        try await Journal.scan(store, keys) { ledger throws(StoreFailure) in
            var audit = try Audit(ledger: ledger)
            // The verifier's own row is not one of the tables.
            _ = try ledger.state()
            try audit.checkWithKeys { _ in }
            return audit.report
        }
    }
}

/// The progress of an audit: first it reads the trail, then the rows.
package enum AuditProgress: Sendable {
    case records(UInt64, of: UInt64)
    case rows(UInt64, of: UInt64)
    case tags(UInt64, of: UInt64)
    case transactions(UInt64, of: UInt64)
}
