import Cryptography
import FailureTranslation
import Storage
package import TransactionApproval

package enum EvidenceResult: Equatable, Sendable {
    case evidence(EvidenceFile)
    case unknownTransaction
    /// No device has decided the transaction.
    case undecided
    /// This verifier's journal began after a record.
    case uncovered(EvidenceFlaw.Part)
}

extension Verifier {
    /// The evidence of a decision, after the journal has signed its record.
    package func evidence(
        of id: TransactionID,
        in account: AccountReference
    ) async throws(Failure) -> EvidenceResult {
        // A verifier without a journal has nothing signed.
        guard let journal else { return .uncovered(.verdict) }
        let found = try await read { [proven] ledger throws(StoreFailure) in
            try ledger.decision(id, of: account, proven)
        }
        let decision: RecordedDecision
        switch found {
        case .refused(let result): return result
        case .found(let found): decision = found
        }
        try await translatingAsync(
            await journal.follow(upTo: decision.verdict.sequence),
            to: Failure.journal
        )
        guard let enrolment = try await proof(of: decision.enrolment, journal) else {
            return .uncovered(.enrolment)
        }
        guard let verdict = try await proof(of: decision.verdict, journal) else {
            return .uncovered(.verdict)
        }
        return .evidence(
            EvidenceFile(
                format: EvidenceFile.format,
                transaction: Hexadecimal(decision.canonicalBytes),
                decision: decision.signed,
                outcome: decision.outcome,
                device: decision.device,
                enrolment: enrolment,
                verdict: verdict
            )
        )
    }

    /// Nil if no checkpoint of the journal is near enough behind the record.
    private func proof(
        of record: AuditRecord,
        _ journal: Journal
    ) async throws(Failure) -> AuditProof? {
        let epoch = try await read { ledger throws(StoreFailure) in try ledger.state().epoch }
        var candidate = Epoch(0)
        // An earlier epoch can have lines about records that a restore discarded.
        while candidate.value <= epoch.value {
            let (file, first) = (journal.file, candidate)
            let line = try await translatingAsync(
                await Journal.blocking { () throws(JournalFailure) in
                    try file.firstCheckpoint(in: first, notBefore: record.sequence)
                },
                to: Failure.journal
            )
            // A line between others can be damaged: opening the journal checks only the last one.
            guard let line, try isSigned(line.text, in: file) else { return nil }
            let chain = try await read(isScan: true) { ledger throws(StoreFailure) in
                try ledger.chain(from: record, to: line.checkpoint.head)
            }
            guard let chain else {
                // The line can be that of a restore, before the record; its own epoch is next then.
                candidate = Epoch(max(candidate.value + 1, line.checkpoint.epoch.value))
                continue
            }
            let signed = try translating(
                JournalLine.signedStatement(line.text, by: file.key),
                to: Failure.journal
            )
            guard let signed else { return nil }
            let proof = AuditProof(
                record: record,
                previous: Hexadecimal(chain.previous),
                following: chain.following.map { Hexadecimal($0) },
                checkpoint: signed.unverified
            )
            let isComplete = try translatingSystemFailure(
                proof.verified(by: file.key),
                to: Failure.system
            )
            return isComplete == nil ? nil : proof
        }
        return nil
    }

    private func isSigned(_ line: [UInt8], in file: JournalFile) throws(Failure) -> Bool {
        try translating(JournalLine.isSigned(line, by: file.key), to: Failure.journal)
    }
}
