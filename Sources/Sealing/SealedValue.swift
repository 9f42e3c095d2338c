/// A secret at rest: encrypted under a key outside the database, and bound to its owner.
package struct SealedValue: Equatable, Sendable {
    /// Format, key version, nonce, ciphertext and tag, as a store keeps them.
    package let stored: [UInt8]
    /// The version of the key that opens it.
    package let keyVersion: UInt32

    /// `stored` begins with the first bytes of the version.
    init(keyVersion: UInt32, stored: [UInt8]) {
        self.stored = stored
        self.keyVersion = keyVersion
    }

    /// The first bytes of each value under a key version, in the order of the versions.
    package static func start(ofVersion version: UInt32) -> [UInt8] {
        [format] + withUnsafeBytes(of: version.bigEndian, Array.init)
    }

    /// Reads stored bytes; returns nil if they are not a sealed value.
    package init?(stored: [UInt8]) {
        guard stored.count >= Self.headerByteCount, stored[0] == Self.format else { return nil }
        self.stored = stored
        keyVersion = stored[1..<Self.headerByteCount].reduce(0) { $0 << 8 | UInt32($1) }
        // No key has version 0.
        guard keyVersion > 0 else { return nil }
    }

    private static let format: UInt8 = 1
    /// The number of bytes before nonce, ciphertext and tag.
    static let headerByteCount = 1 + MemoryLayout<UInt32>.size
}
