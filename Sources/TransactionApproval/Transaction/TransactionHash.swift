/// The SHA-256 of a transaction's canonical bytes.
package struct TransactionHash: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Nil where there are not 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.bytes = bytes
    }
}
