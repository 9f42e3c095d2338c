import Cryptography
import TransactionApproval

/// A record of the audit trail, and its chain up to a signed checkpoint.
///
/// The records in between are about other accounts, so only their digests are included.
struct AuditProof: Codable, Equatable, Sendable {
    let record: AuditRecord
    /// The hash of the record before.
    let previous: Hexadecimal
    /// The digests of the records after it, up to that of the checkpoint.
    let following: [Hexadecimal]
    let checkpoint: SignedCheckpoint.Unverified

    /// The signed checkpoint; nil if the record does not lead to it.
    func verified(by key: P256.PublicKey) throws(CryptographyFailure) -> SignedCheckpoint? {
        // No record has a higher number.
        guard record.sequence <= UInt64(Int64.max) else { return nil }
        var (sequence, hash) = (record.sequence, previous.bytes)
        for digest in [try record.digest()] + following.map(\.bytes) {
            hash = try AuditRecord.hash(sequence: sequence, digest: digest, after: hash)
            if sequence == record.sequence, hash != record.hash { return nil }
            sequence += 1
        }
        guard
            let signed = try checkpoint.verified(by: key),
            signed.checkpoint.head.sequence == sequence - 1,
            signed.checkpoint.head.hash == hash
        else { return nil }
        return signed
    }
}

extension AuditRecord {
    /// Whether the record was written together with these values of a row.
    func contains(_ row: TracedRow, _ digest: [UInt8], isNew: Bool = false) -> Bool {
        guard let traces = RowTrace.read(traces) else { return false }
        return traces.contains { trace in
            trace.row.name == row.name && trace.digest == digest
                && (!isNew || trace.before == nil)
        }
    }
}
