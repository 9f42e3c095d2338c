package import Cryptography

/// Which of the server's ECDH keys was used: the first 16 bytes of the SHA-256 of its
/// SubjectPublicKeyInfo.
package struct AgreementKeyID: Hashable, Sendable {
    package static let byteCount = 16

    package let bytes: [UInt8]

    /// Nil where there are not 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    package init(of key: P256.PublicKey) throws(CryptographyFailure) {
        let encoded = key.subjectPublicKeyInfo
        let hash = try HashAlgorithm.sha256.digest(of: encoded.span)
        bytes = Array(hash.array.prefix(Self.byteCount))
    }
}

extension FieldWriter {
    package mutating func append(_ key: AgreementKeyID) { append(key.bytes) }
}
