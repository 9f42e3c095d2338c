package import Cryptography
import Storage
package import TransactionApproval

/// The decision that a file of evidence proves.
package struct ProvenDecision: Equatable, Sendable {
    /// As the device showed it.
    package let transaction: Transaction
    package let choice: DecisionExchange.Choice
    package let device: DeviceID
    package let deviceName: String
    /// Whether the device is a web browser.
    package let isWeb: Bool
    package let decided: Timestamp
    package let enrolled: Timestamp
    /// The account for which the device was enrolled; a replacement can have moved the device.
    package let enrolledAccount: AccountReference
    /// The store's id, so that an auditor can recognize files of one verifier.
    package let store: [UInt8]
    /// The number of the audit record that enrolled the device.
    package let enrolmentRecord: UInt64
    /// The epoch of the checkpoint behind this record.
    package let enrolmentEpoch: Epoch
    /// The number of the audit record of the decision.
    package let verdictRecord: UInt64
    /// The epoch of the checkpoint behind this record.
    package let verdictEpoch: Epoch
}

/// Why a file is not evidence.
package enum EvidenceFlaw: Error, Equatable, Sendable {
    /// The file has another format, or a value in it is malformed.
    case malformed
    /// The signature does not belong to the decision, the transaction and the device's key.
    case deviceSignature
    /// A record does not lead to its checkpoint, or the key did not sign the checkpoint.
    case checkpoint(Part)
    /// The record does not contain the values of the file.
    case record(Part)
    case system(SystemFailure)

    package enum Part: String, Sendable {
        case enrolment
        case verdict
    }
}

extension ProvenDecision {
    /// The store's id in hexadecimal.
    package var storeText: String { TextEncoding.hexadecimal.encode(store.span) }
}

extension EvidenceFile {
    /// Checks all values of the file, with the public key that signs the verifier's journal.
    package func verified(by key: P256.PublicKey) throws(EvidenceFlaw) -> ProvenDecision {
        guard
            format == Self.format,
            decision.signature.bytes.count == P256.signatureByteCount,
            let transaction = Transaction(wireBytes: transaction.bytes),
            let device = DeviceID(device.id.bytes),
            let choice = outcome.choice,
            let decided = Timestamp(milliseconds: outcome.closed),
            let enrolled = Timestamp(milliseconds: self.device.activated)
        else { throw .malformed }
        try checkSignature(of: choice, by: device)
        let signed = try (
            enrolment: checkpoint(of: enrolment, .enrolment, key),
            verdict: checkpoint(of: verdict, .verdict, key)
        )
        try checkEnrolment()
        try checkVerdict(on: transaction, by: device)
        guard
            signed.enrolment.checkpoint.store == signed.verdict.checkpoint.store,
            enrolment.record.sequence < verdict.record.sequence
        else { throw .record(.enrolment) }
        return ProvenDecision(
            transaction: transaction,
            choice: choice,
            device: device,
            deviceName: self.device.name,
            isWeb: enrolment.record.event.isOfWebDevice,
            decided: decided,
            enrolled: enrolled,
            enrolledAccount: self.device.account,
            store: signed.verdict.checkpoint.store,
            enrolmentRecord: enrolment.record.sequence,
            enrolmentEpoch: signed.enrolment.checkpoint.epoch,
            verdictRecord: verdict.record.sequence,
            verdictEpoch: signed.verdict.checkpoint.epoch
        )
    }

    private func checkSignature(
        of choice: DecisionExchange.Choice,
        by device: DeviceID
    ) throws(EvidenceFlaw) {
        // `try?`: a malformed key verifies nothing.
        guard
            let key = try? P256.PublicKey(uncompressedPoint: self.device.publicKey.bytes.span)
        else { throw .deviceSignature }
        let isSigned = try translatingSystemFailure(
            DecisionEvidence.isProven(
                by: decision.stored,
                choice,
                on: TransactionHash(ofCanonicalBytes: transaction.bytes),
                by: device,
                key
            ),
            to: EvidenceFlaw.system
        )
        guard isSigned else { throw .deviceSignature }
    }

    private func checkpoint(
        of proof: AuditProof,
        _ part: EvidenceFlaw.Part,
        _ key: P256.PublicKey
    ) throws(EvidenceFlaw) -> SignedCheckpoint {
        let signed = try translatingSystemFailure(proof.verified(by: key), to: EvidenceFlaw.system)
        guard let signed else { throw .checkpoint(part) }
        return signed
    }

    /// The enrolment's record must have created this device.
    private func checkEnrolment() throws(EvidenceFlaw) {
        let digest = try Self.hashing { () throws(StoreFailure) in try device.digest() }
        guard enrolment.record.contains(device.row, digest, isNew: true) else {
            throw .record(.enrolment)
        }
    }

    /// The verdict's record must have closed this transaction, by this device.
    private func checkVerdict(
        on transaction: Transaction,
        by device: DeviceID
    ) throws(EvidenceFlaw) {
        let digest = try Self.hashing { () throws(StoreFailure) in
            try Self.digest(of: outcome, by: device.bytes, evidence: decision.stored)
        }
        let account = AccountReference(
            enterprise: transaction.enterprise,
            key: transaction.account
        )
        guard
            verdict.record.contains(Self.outcomeRow(of: transaction.id), digest),
            verdict.record.actor == .device(device),
            verdict.record.event.account == account
        else { throw .record(.verdict) }
    }

    private static func hashing(
        _ body: () throws(StoreFailure) -> [UInt8]
    ) throws(EvidenceFlaw) -> [UInt8] {
        do throws(StoreFailure) {
            return try body()
        } catch {
            // A digest reads no store.
            throw error.systemFailure.map { .system($0) } ?? .malformed
        }
    }
}
