/// A secret at rest: encrypted under a key that is not in the database, and bound to its owner.
package struct SealedValue: Equatable, Sendable {
    /// Format, key version, nonce, ciphertext and tag, as a store keeps them.
    package let stored: [UInt8]
    /// Which of the verifier's keys it is under.
    package let keyVersion: UInt32

    /// `bytes` are nonce, ciphertext and tag.
    init(keyVersion: UInt32, bytes: [UInt8]) {
        let version = withUnsafeBytes(of: keyVersion.bigEndian, Array.init)
        stored = [Self.format] + version + bytes
        self.keyVersion = keyVersion
    }

    /// Reads what a store kept; nil where it is none.
    package init?(stored: [UInt8]) {
        guard stored.count >= Self.headCount, stored[0] == Self.format else { return nil }
        self.stored = stored
        keyVersion = stored[1..<Self.headCount].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private static let format: UInt8 = 1
    /// Nonce, ciphertext and tag follow these many bytes.
    static let headCount = 1 + MemoryLayout<UInt32>.size
}
