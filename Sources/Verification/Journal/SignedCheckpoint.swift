import Cryptography
import StrictJSON
import TransactionApproval

/// The values that the signature of a journal line is over.
///
/// An auditor can check the signature without the records of the line, which are about other accounts.
struct CheckpointStatement: Equatable, Sendable {
    let checkpoint: Checkpoint
    /// SHA-256 of the line before; zeros in the first.
    let previous: [UInt8]
    /// SHA-256 of the numbers, digests and hashes of the line's records.
    let records: [UInt8]

    var message: [UInt8] {
        var writer = FieldWriter(reserving: 256)
        writer.append("countersign journal line 3")
        writer.append(checkpoint)
        writer.append(previous)
        writer.append(records)
        return writer.bytes
    }
}

/// A checkpoint with the valid signature of a verifier's checkpoint key.
package struct SignedCheckpoint: Equatable, Sendable {
    package var checkpoint: Checkpoint { statement.checkpoint }
    private let statement: CheckpointStatement
    private let signature: P256.Signature

    /// Returns nil if the signature is not valid.
    init?(
        _ statement: CheckpointStatement,
        _ signature: P256.Signature,
        by key: P256.PublicKey
    ) throws(CryptographyFailure) {
        guard try key.isValid(signature, for: statement.message.span) else { return nil }
        self.statement = statement
        self.signature = signature
    }
}

extension SignedCheckpoint {
    /// The form in a file of evidence, before its signature is checked.
    struct Unverified: Codable, Equatable, Sendable {
        let store: Hexadecimal
        let epoch: UInt64
        let sequence: UInt64
        let moment: UInt64
        let hash: Hexadecimal
        let previous: Hexadecimal
        let records: Hexadecimal
        let signature: Hexadecimal

        /// Returns nil if the signature is not valid, whatever is wrong with it.
        func verified(by key: P256.PublicKey) throws(CryptographyFailure) -> SignedCheckpoint? {
            guard
                let moment = Timestamp(milliseconds: moment),
                let signature = try? P256.Signature(raw: signature.bytes.span)
            else { return nil }
            let statement = CheckpointStatement(
                checkpoint: Checkpoint(
                    store: store.bytes,
                    epoch: Epoch(epoch),
                    head: AuditHead(sequence: sequence, moment: moment, hash: hash.bytes)
                ),
                previous: previous.bytes,
                records: records.bytes
            )
            return try SignedCheckpoint(statement, signature, by: key)
        }
    }

    var unverified: Unverified {
        Unverified(
            store: Hexadecimal(checkpoint.store),
            epoch: checkpoint.epoch.value,
            sequence: checkpoint.head.sequence,
            moment: checkpoint.head.moment.milliseconds,
            hash: Hexadecimal(checkpoint.head.hash),
            previous: Hexadecimal(statement.previous),
            records: Hexadecimal(statement.records),
            signature: Hexadecimal(signature.raw)
        )
    }
}
