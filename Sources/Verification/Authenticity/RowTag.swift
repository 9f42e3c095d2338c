import Cryptography

/// The proof that a verifier with the encryption keys wrote the columns of a row.
///
/// The version of the row grows with every change, so an earlier row with its tag can be recognized.
struct RowTag: Equatable {
    let keyVersion: UInt32
    let rowVersion: UInt64
    /// Both versions and the MAC.
    let stored: [UInt8]

    private static let macByteCount = 16
    private static let versionsByteCount = 4 + 8
    private static let byteCount = versionsByteCount + macByteCount

    init(keyVersion: UInt32, rowVersion: UInt64, mac: Digest) {
        self.keyVersion = keyVersion
        self.rowVersion = rowVersion
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        withUnsafeBytes(of: keyVersion.bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: rowVersion.bigEndian) { bytes.append(contentsOf: $0) }
        mac.withBytes { mac in
            for index in 0..<Self.macByteCount { bytes.append(mac[index]) }
        }
        stored = bytes
    }

    /// Returns nil if the bytes are not a tag: no key has version 0.
    init?(stored: [UInt8]) {
        guard stored.count == Self.byteCount else { return nil }
        keyVersion = stored[..<4].reduce(0) { $0 << 8 | UInt32($1) }
        guard keyVersion > 0 else { return nil }
        rowVersion = stored[4..<12].reduce(0) { $0 << 8 | UInt64($1) }
        self.stored = stored
    }

    func hasSameMAC(as other: RowTag) -> Bool {
        equalInConstantTime(
            stored.span.extracting(droppingFirst: Self.versionsByteCount),
            other.stored.span.extracting(droppingFirst: Self.versionsByteCount)
        )
    }
}
