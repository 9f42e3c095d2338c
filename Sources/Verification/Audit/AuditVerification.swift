import Cryptography

/// Checks a whole trail and what the store has made of it.
///
/// It reads one committed state, some records at a time, while decisions go on. An auditor needs the
/// store, its journal and the public half of the audit key. What is proven by what:
/// * The chain of hashes proves that no record was changed, taken out, put in or moved by somebody
///   who did not compute all hashes after it anew. It has no key: whoever owns the database can.
/// * The journal, signed and elsewhere, proves that the trail up to its last checkpoint is the one
///   that was there when it was signed. What came after, and a journal whose end was cut off
///   together with the trail's, is not covered; compare with a copy of the journal kept elsewhere.
/// * Each record has, of every row that was written with it, a digest of what the row held until then
///   and one of what it holds from then on. So each row must be what the last record about it says,
///   what a record wrote over must be what the record before it said, and each row must have one:
///   rows that were put in, taken out, exchanged, changed or set back to what they once were are
///   found, counters and locks among them, also where the verifier has written to them since. A MAC over a row would add nothing: it holds for the older row
///   as well, so the trail would have to tell the last one anyhow, and then it tells all others too.
///   Nor is there a key that an auditor must be trusted with. What a record says of a counter can be
///   guessed at; that helps nobody without the device, where the counter lies in the clear.
/// * Not compared is what changes without a record: whether a delivery arrived, how far a file was
///   loaded, wrong activation codes and claims, and the answer to a device that what it asked for is
///   so already, which changes nothing. What is sealed does not open when it was changed or moved;
///   one that is older and of the same generation is the same secret.
/// * A record of `store.restored` says where a backup ended and which head of the journal was lost;
///   lines of the journal that are not on the trail are those, and stand before the line with which
///   it goes on.
/// * Logins, activations and kept answers that are missing are not looked for: a retention takes
///   them, and without them nobody is told yes. Nor are deliveries: the bank sees what it was not
///   told by asking for the trail.
package enum AuditVerification {
    static let recordsAtOnce = 1000

    /// Memory does not grow with the store: the last word about each row is kept in a file that is
    /// gone with the audit, with some hundred bytes for each.
    package static func run(
        over store: any Database,
        against journal: JournalFile? = nil,
        progress: @escaping @Sendable (AuditProgress) -> Void = { _ in }
    ) async throws(JournalFailure) -> AuditReport {
        // Lines that come from now on may tell of more than the state that is read.
        let lineCount = try await Journal.blocking { () throws(JournalFailure) in
            try journal?.read().lineCount ?? 0
        }
        let result = try await Journal.read(store) {
            ledger throws(StoreFailure) -> Result<AuditReport, JournalFailure> in
            var audit = try Audit(ledger: ledger)
            guard try audit.walk(progress) else { return .success(audit.report) }
            try audit.compareRows(progress)
            try audit.checkMark()
            do throws(JournalFailure) {
                if let journal { try audit.compare(with: journal, lineCount) }
                return .success(audit.report)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}

/// How far an audit is: first it reads the trail, then the rows that the trail tells of.
package enum AuditProgress: Sendable {
    case records(UInt64, of: UInt64)
    case rows(UInt64, of: UInt64)
}
