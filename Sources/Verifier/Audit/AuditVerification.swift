import Cryptography
import TransactionApproval

/// What is wrong, and where.
package struct AuditFinding: Equatable, Sendable {
    package enum Fault: Equatable, Sendable {
        /// No record has this form.
        case malformed
        /// Another number than the one that comes next: something is missing, extra, or moved.
        case outOfSequence
        /// Something in it, or before it, is not what its hash was made of.
        case brokenLink
        /// The store's head is not this last record.
        case endsElsewhere
        /// The journal saw another record here; they may differ from the one after `last` on.
        case forked(after: UInt64)
        /// A row is not what this record, or the last of several, made it.
        case contradicted(subject: String)
        /// A row that no record is about has no form of ours; what comes after it is not compared.
        case unreadable
        /// The store is a backup that was not restored.
        case unrestored
    }

    /// Of the record; 0 where a row has no record at all.
    package let sequence: UInt64
    package let fault: Fault
}

/// What an audit found.
package struct AuditReport: Equatable, Sendable {
    /// How many records follow each other as they must, from the first on.
    package internal(set) var checked: UInt64 = 0
    /// In the order of the trail, at most `mostFindings`; the trail is not read on after a record
    /// that does not follow.
    package internal(set) var findings: [AuditFinding] = []

    static let mostFindings = 100

    package var isClean: Bool { findings.isEmpty }

    mutating func add(_ fault: AuditFinding.Fault, at sequence: UInt64) {
        guard findings.count < Self.mostFindings else { return }
        findings.append(AuditFinding(sequence: sequence, fault: fault))
    }
}

/// Checks a whole trail and what the store has made of it.
///
/// It reads one committed state, some records at a time, while decisions go on. An auditor needs the
/// store, its journal and the public half of the audit key. What is proven by what:
/// * The chain of hashes proves that no record was changed, taken out, put in or moved by somebody
///   who did not compute all hashes after it anew. It has no key: whoever owns the database can.
/// * The journal, signed and elsewhere, proves that the trail up to its last checkpoint is the one
///   that was there when it was signed. What came after, and a journal whose end was cut off
///   together with the trail's, is not covered; compare with a copy of the journal kept elsewhere.
/// * The rows are compared with the records: a device that was revoked is, a blocked one has not
///   come back, a credential is at the generation of its last rekey and switched on or off as was
///   said last, a transaction ended as recorded or is pending, an activation and a login are over.
/// * Nothing here tells whether a counter, a count of wrong codes, a temporary lock, a public key or
///   the bytes of a transaction were changed: no record holds them. A seed that was changed or moved
///   does not open, but one that is older and of the same generation would be the same seed.
/// * A record of `store.restored` says where a backup ended and which head of the journal was lost;
///   lines of the journal that are not on the trail are those, and stand before the line with which
///   it goes on.
/// * What a retention took out of the hot tables is not compared.
package enum AuditVerification {
    static let recordsAtOnce = 1000

    /// Memory grows with the credentials that were rekeyed or switched off, and with what is
    /// pending; not with the trail.
    package static func run(
        over store: any Database,
        against journal: JournalFile? = nil,
        progress: @escaping @Sendable (_ checked: UInt64, _ total: UInt64) -> Void = { _, _ in }
    ) async throws(JournalFailure) -> AuditReport {
        // Lines that come from now on may tell of more than the state that is read.
        let lineCount = try await Journal.blocking { () throws(JournalFailure) in
            try journal?.read().lineCount ?? 0
        }
        let result = try await Journal.read(store) {
            ledger throws(StoreFailure) -> Result<AuditReport, JournalFailure> in
            var audit = Audit(ledger: ledger)
            guard try audit.walk(progress) else { return .success(audit.report) }
            try audit.compareRows()
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

/// One audit, within one state of the store.
private struct Audit {
    let ledger: Ledger
    var report = AuditReport()
    private var head = AuditHead.empty
    private var claims = AuditClaims()

    init(ledger: Ledger) {
        self.ledger = ledger
    }

    /// Follows the chain from its beginning to the store's head; false where it does not lead there.
    mutating func walk(
        _ progress: (_ checked: UInt64, _ total: UInt64) -> Void
    ) throws(StoreFailure) -> Bool {
        let end = try ledger.state().audit
        var last = Int64.min
        while true {
            let rows = try ledger.auditRows(after: last, limit: AuditVerification.recordsAtOnce)
            guard let newest = rows.last?.sequence else { break }
            for row in rows {
                guard try follow(row) else { return false }
            }
            last = newest
            progress(head.sequence, end.sequence)
        }
        guard head != end else { return true }
        report.add(.endsElsewhere, at: head.sequence + (head.sequence < end.sequence ? 1 : 0))
        return false
    }

    /// False where it does not follow.
    private mutating func follow(_ row: AuditRow) throws(StoreFailure) -> Bool {
        let next = head.sequence + 1
        guard row.sequence == Int64(next) else {
            report.add(.outOfSequence, at: next)
            return false
        }
        guard let record = row.record else {
            report.add(.malformed, at: next)
            return false
        }
        let precedes: Bool
        do throws(CryptographyFailure) {
            precedes = try head.precedes(record)
        } catch {
            throw .unavailable
        }
        guard precedes else {
            report.add(.brokenLink, at: next)
            return false
        }
        claims.take(record)
        if try contradicts(record) {
            report.add(.contradicted(subject: record.event.subject), at: next)
        }
        head = AuditHead(record)
        report.checked = next
        return true
    }

    /// A row that cannot be read is none that a record made.
    private func contradicts(_ record: AuditRecord) throws(StoreFailure) -> Bool {
        do throws(StoreFailure) {
            return try ledger.contradicts(record)
        } catch .damaged {
            return true
        }
    }

    mutating func compareRows() throws(StoreFailure) {
        do throws(StoreFailure) {
            try claims.compare(with: ledger) { report.add(.contradicted(subject: $1), at: $0) }
        } catch .damaged {
            report.add(.unreadable, at: 0)
        }
    }

    mutating func checkMark() throws(StoreFailure) {
        let state = try ledger.state()
        if state.isCopy { report.add(.unrestored, at: state.audit.sequence) }
    }

    /// Every line must be of this trail, but for those of what a restore gave up.
    mutating func compare(
        with journal: JournalFile,
        _ lineCount: Int
    ) throws(JournalFailure) {
        var last: UInt64 = 0
        var rest = lineCount
        var fork: AuditFinding?
        _ = try journal.read { line throws(JournalFailure) in
            guard rest > 0 else { return }
            rest -= 1
            do throws(StoreFailure) {
                let checkpoint = line.checkpoint
                if let refusal = try ledger.refusal(of: checkpoint) {
                    if refusal == .foreign { throw StoreFailure.foreign }
                    let sequence = checkpoint.head.sequence
                    fork = fork ?? AuditFinding(sequence: sequence, fault: .forked(after: last))
                } else {
                    last = checkpoint.head.sequence
                    fork = nil
                }
            } catch .foreign {
                throw .foreign
            } catch {
                throw .store(error)
            }
        }
        if let fork { report.add(fork.fault, at: fork.sequence) }
    }
}
