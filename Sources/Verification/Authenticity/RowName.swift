import Storage
import TransactionApproval

/// A tagged part of a row, by its key.
struct RowName: Hashable, Sendable {
    let part: TaggedPart
    /// The part and the key.
    let bytes: [UInt8]
    /// Computed once, because each transaction looks up each name several times.
    let hash: Int

    init(_ part: TaggedPart, _ key: [SQLValue]) {
        var writer = FieldWriter(reserving: 64)
        writer.append(part.rawValue)
        for value in key { writer.append(value) }
        var hasher = Hasher()
        // Byte by byte, as an array does it, takes several times as long.
        writer.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        self.part = part
        bytes = writer.bytes
        hash = hasher.finalize()
    }

    static func == (one: RowName, other: RowName) -> Bool {
        one.hash == other.hash && one.bytes == other.bytes
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
}
