import Cryptography
import FailureTranslation
import StrictJSON
package import TransactionApproval

/// The committed state of a store at some time.
package struct Checkpoint: Equatable, Sendable {
    /// The store's id.
    package let store: [UInt8]
    package let epoch: Epoch
    package let head: AuditHead
}

extension FieldWriter {
    mutating func append(_ checkpoint: Checkpoint) {
        append(checkpoint.store)
        append(checkpoint.epoch)
        append(checkpoint.head.sequence)
        append(checkpoint.head.moment)
        append(checkpoint.head.hash)
    }
}

/// One line of the journal: a checkpoint, and the records since the one before that a backup must not
/// undo.
struct JournalLine: Sendable {
    let checkpoint: Checkpoint
    let records: [AuditRecord]
    /// SHA-256 of the line before; zeros in the first.
    let previous: [UInt8]
}

extension JournalLine {
    /// The JSON of the line, a space, and the signature in hexadecimal.
    func signed(by key: P256.PrivateKey) throws(JournalFailure) -> [UInt8] {
        // The store contains a record that this program did not write.
        let content = try translating(StrictJSON.encode(Written(self))) {
            (_: StrictJSON.Unwritable) in
            JournalFailure.brokenTrail(at: checkpoint.head.sequence)
        }
        let signature = try translatingSystemFailure(
            key.signature(for: statement().message.span),
            to: JournalFailure.system
        )
        return content + [Self.separator]
            + TextEncoding.hexadecimal.encode(signature.raw.span).utf8
    }

    /// The signed values.
    private func statement() throws(CryptographyFailure) -> CheckpointStatement {
        var writer = FieldWriter()
        for record in records {
            writer.append(record.sequence)
            writer.append(try record.digest())
            writer.append(record.hash)
        }
        return CheckpointStatement(
            checkpoint: checkpoint,
            previous: previous,
            records: try writer.sha256().array
        )
    }

    /// The number of bytes of a record in a line.
    static func byteCount(of record: AuditRecord) throws(JournalFailure) -> Int {
        try translating(StrictJSON.encode(record).count) { (_: StrictJSON.Unwritable) in
            JournalFailure.brokenTrail(at: record.sequence)
        }
    }

    /// Returns nil if the line is malformed.
    ///
    /// It does not check the signature.
    init?(_ line: [UInt8]) {
        guard let content = Self.split(line)?.content else { return nil }
        // `try?`: the line is damaged, whatever is wrong with it.
        guard
            let written = try? StrictJSON.decode(
                Written.self,
                from: content,
                limits: Self.limits
            ), let moment = Timestamp(milliseconds: written.moment),
            let store = try? TextEncoding.hexadecimal.decode(written.store),
            let hash = try? TextEncoding.hexadecimal.decode(written.hash),
            let previous = try? TextEncoding.hexadecimal.decode(written.previous)
        else { return nil }
        checkpoint = Checkpoint(
            store: store,
            epoch: Epoch(written.epoch),
            head: AuditHead(sequence: written.sequence, moment: moment, hash: hash)
        )
        records = written.records
        self.previous = previous
    }

    /// Whether the signature of a line is valid.
    static func isSigned(_ text: [UInt8], by key: P256.PublicKey) throws(JournalFailure) -> Bool {
        try signedStatement(text, by: key) != nil
    }

    /// The checkpoint of a line with its signature; nil if the signature is not valid.
    static func signedStatement(
        _ text: [UInt8],
        by key: P256.PublicKey
    ) throws(JournalFailure) -> SignedCheckpoint? {
        guard let line = JournalLine(text), let signature = signature(in: text) else { return nil }
        return try translatingSystemFailure(
            SignedCheckpoint(line.statement(), signature, by: key),
            to: JournalFailure.system
        )
    }

    private static func signature(in line: [UInt8]) -> P256.Signature? {
        // `try?`: the signature is not valid, whatever is wrong with it.
        guard
            let text = split(line)?.signature,
            let raw = try? TextEncoding.hexadecimal.decode(text)
        else { return nil }
        return try? P256.Signature(raw: raw.span)
    }

    private static func split(_ line: [UInt8]) -> (content: [UInt8], signature: String)? {
        guard
            let end = line.lastIndex(of: separator),
            let signature = String(validating: line[(end + 1)...], as: UTF8.self)
        else { return nil }
        return (Array(line[..<end]), signature)
    }

    private static let separator = UInt8(ascii: " ")
    private static let limits = StrictJSON.Limits(
        byteCount: JournalFile.maximumBytesInLine,
        depth: 4,
        valueCount: 16 << 10
    )
}

private struct Written: Codable {
    let store: String
    let epoch: UInt64
    let sequence: UInt64
    let moment: UInt64
    let hash: String
    let records: [AuditRecord]
    let previous: String

    init(_ line: JournalLine) {
        let checkpoint = line.checkpoint
        store = TextEncoding.hexadecimal.encode(checkpoint.store.span)
        epoch = checkpoint.epoch.value
        sequence = checkpoint.head.sequence
        moment = checkpoint.head.moment.milliseconds
        hash = TextEncoding.hexadecimal.encode(checkpoint.head.hash.span)
        records = line.records
        previous = TextEncoding.hexadecimal.encode(line.previous.span)
    }
}
