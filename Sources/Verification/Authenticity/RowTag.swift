import Cryptography

/// The proof that a verifier with the encryption keys wrote the columns of a row.
///
/// The version of the row grows with every change, so an earlier row with its tag can be recognized.
struct RowTag: Equatable {
    let keyVersion: UInt32
    let rowVersion: UInt64
    private let mac: [UInt8]

    private static let macByteCount = 16
    private static let byteCount = 4 + 8 + macByteCount

    init(keyVersion: UInt32, rowVersion: UInt64, mac: Digest) {
        self.keyVersion = keyVersion
        self.rowVersion = rowVersion
        self.mac = Array(mac.array.prefix(Self.macByteCount))
    }

    /// Returns nil if the bytes are not a tag.
    init?(stored: [UInt8]) {
        guard stored.count == Self.byteCount else { return nil }
        keyVersion = stored[..<4].reduce(0) { $0 << 8 | UInt32($1) }
        rowVersion = stored[4..<12].reduce(0) { $0 << 8 | UInt64($1) }
        mac = Array(stored[12...])
    }

    var stored: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        withUnsafeBytes(of: keyVersion.bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: rowVersion.bigEndian) { bytes.append(contentsOf: $0) }
        return bytes + mac
    }

    func hasSameMAC(as other: RowTag) -> Bool {
        equalInConstantTime(mac.span, other.mac.span)
    }
}
