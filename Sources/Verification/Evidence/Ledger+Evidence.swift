import Cryptography
import Storage
import TransactionApproval

/// The values of a decided transaction and its audit records.
struct RecordedDecision: Sendable {
    let canonicalBytes: [UInt8]
    let signed: EvidenceFile.SignedMessage
    let outcome: EvidenceFile.Outcome
    let device: EvidenceFile.EnrolledDevice
    let enrolment: AuditRecord
    let verdict: AuditRecord
}

enum DecisionLookup: Sendable {
    case found(RecordedDecision)
    case refused(EvidenceResult)
}

extension Ledger {
    func decision(
        _ id: TransactionID,
        of account: AccountReference,
        _ proven: ProvenDecisions
    ) throws(StoreFailure) -> DecisionLookup {
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
    func chain(
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
