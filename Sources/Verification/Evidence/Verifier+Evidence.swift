import Cryptography
import FailureTranslation
import Storage
package import TransactionApproval

package enum EvidenceResult: Equatable, Sendable {
    case evidence(EvidenceFile)
    case unknownTransaction
    /// No device has decided the transaction.
    case undecided
    /// This verifier's journal began after a record, or an earlier release made the record or its line.
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
            guard let line else { return nil }
            let way = try await read { ledger throws(StoreFailure) in
                try ledger.way(from: record, to: line.checkpoint.head)
            }
            guard let way else {
                candidate = Epoch(line.checkpoint.epoch.value + 1)
                continue
            }
            let signed = try translatingJournal {
                () throws(JournalFailure) in
                try JournalLine.signedStatement(line.text, by: file.key)
            }
            guard let signed else { return nil }
            let proof = AuditProof(
                record: record,
                previous: Hexadecimal(way.previous),
                following: way.following.map { Hexadecimal($0) },
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

    private func translatingJournal<Outcome>(
        _ body: () throws(JournalFailure) -> Outcome
    ) throws(Failure) -> Outcome {
        do throws(JournalFailure) {
            return try body()
        } catch {
            throw .journal(error)
        }
    }
}

/// The values of a decided transaction and its audit records.
private struct RecordedDecision: Sendable {
    let canonicalBytes: [UInt8]
    let signed: EvidenceFile.SignedMessage
    let outcome: EvidenceFile.Outcome
    let device: EvidenceFile.EnrolledDevice
    let enrolment: AuditRecord
    let verdict: AuditRecord
}

private enum Lookup: Sendable {
    case found(RecordedDecision)
    case refused(EvidenceResult)
}

extension Ledger {
    fileprivate func decision(
        _ id: TransactionID,
        of account: AccountReference,
        _ proven: ProvenDecisions
    ) throws(StoreFailure) -> Lookup {
        guard let record = try transactionOrArchived(id), record.account == account else {
            return .refused(.unknownTransaction)
        }
        try checkEvidence(of: record, proven)
        guard
            case .closed(let outcome, let closed) = record.state,
            let (choice, deviceID) = outcome.choice, let evidence = record.evidence
        else { return .refused(.undecided) }
        guard
            let device = try device(deviceID), case .installation(let key) = device.kind
        else { throw .damaged }
        let stated = EvidenceFile.Outcome(choice, at: closed)
        let digest = try EvidenceFile.digest(of: stated, by: deviceID.bytes, evidence: evidence)
        guard
            let verdict = try self.record(
                of: closed,
                where: { record throws(StoreFailure) in
                    record.contains(EvidenceFile.outcomeRow(of: id), digest)
                }
            )
        else { return .refused(.uncovered(.verdict)) }
        // A replacement can have moved the device since.
        let activation = try self.record(of: device.activated) { record throws(StoreFailure) in
            record.event.kind == .deviceActivated && record.event.subject == "\(deviceID)"
        }
        guard let enrolledFor = activation?.event.account else {
            return .refused(.uncovered(.enrolment))
        }
        let enrolled = EvidenceFile.EnrolledDevice(device, publicKey: key, for: enrolledFor)
        let row = try enrolled.digest()
        guard
            let enrolment = try self.record(
                of: device.activated,
                where: {
                    record throws(StoreFailure) in
                    record.contains(enrolled.row, row, isNew: true)
                }
            )
        else { return .refused(.uncovered(.enrolment)) }
        return .found(
            RecordedDecision(
                canonicalBytes: record.canonicalBytes,
                signed: EvidenceFile.SignedMessage(stored: evidence),
                outcome: stated,
                device: enrolled,
                enrolment: enrolment,
                verdict: verdict
            )
        )
    }

    /// The first record of this moment that fulfils a condition.
    ///
    /// Times never decrease in the trail, so it reads few records.
    private func record(
        of moment: Timestamp,
        where isWanted: (AuditRecord) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) -> AuditRecord? {
        var (low, high) = (UInt64(1), try state().audit.sequence + 1)
        while low < high {
            let middle = low + (high - low) / 2
            guard let record = try auditRecord(middle) else { throw .damaged }
            if record.moment < moment { low = middle + 1 } else { high = middle }
        }
        while true {
            let page = try auditRecords(after: low - 1, limit: Journal.recordsAtOnce)
            for record in page {
                guard record.moment == moment else { return nil }
                if try isWanted(record) { return record }
            }
            guard let last = page.last else { return nil }
            low = last.sequence + 1
        }
    }

    /// The hash before a record, and the digests of the records after it up to `head`.
    ///
    /// Returns nil if `head` is not on the trail, or too far away.
    fileprivate func way(
        from record: AuditRecord,
        to head: AuditHead
    ) throws(StoreFailure) -> (previous: [UInt8], following: [[UInt8]])? {
        guard try holds(head), head.sequence >= record.sequence else { return nil }
        let count = Int(head.sequence - record.sequence)
        guard count <= EvidenceFile.maximumFollowing else { return nil }
        let previous =
            record.sequence == 1
            ? AuditHead.empty.hash : try auditHash(at: record.sequence - 1)
        guard let previous else { throw .damaged }
        let following = try auditRecords(after: record.sequence, limit: count)
        guard following.count == count else { throw .damaged }
        return try translatingSystemFailure(
            (previous, following.map { record throws(CryptographyFailure) in try record.digest() }),
            to: StoreFailure.system
        )
    }
}

extension EvidenceFile.SignedMessage {
    /// From the form in the store.
    fileprivate init(stored: [UInt8]) {
        self.init(
            message: Hexadecimal(Array(stored.dropFirst(P256.signatureByteCount))),
            signature: Hexadecimal(Array(stored.prefix(P256.signatureByteCount)))
        )
    }
}

extension EvidenceFile.Outcome {
    fileprivate init(_ choice: DecisionExchange.Choice, at moment: Timestamp) {
        let (state, detail): (StoredState, String) =
            switch choice {
            case .approve(let type): (.approved, type.rawValue)
            case .reject(let reason): (.rejected, reason.rawValue)
            }
        self.init(state: state.rawValue, closed: moment.milliseconds, detail: detail)
    }
}

extension EvidenceFile.EnrolledDevice {
    fileprivate init(_ device: Device, publicKey: [UInt8], for account: AccountReference) {
        self.init(
            id: Hexadecimal(device.id.bytes),
            enterprise: account.enterprise,
            accountType: account.key.type,
            accountID: account.key.id,
            publicKey: Hexadecimal(publicKey),
            name: device.name,
            activated: device.activated.milliseconds
        )
    }
}
