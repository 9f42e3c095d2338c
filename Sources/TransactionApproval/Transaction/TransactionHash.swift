package import Cryptography

/// SHA-256 of the canonical bytes.
package struct TransactionHash: Hashable, Sendable {
    package let bytes: [UInt8]

    package static let byteCount = 32

    package init(of transaction: Transaction) throws(CryptographyFailure) {
        try self.init(ofCanonicalBytes: transaction.canonicalBytes)
    }

    package init(ofCanonicalBytes canonicalBytes: [UInt8]) throws(CryptographyFailure) {
        bytes = try HashAlgorithm.sha256.digest(of: canonicalBytes.span).array
    }

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }
}
