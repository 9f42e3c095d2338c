package import Cryptography

/// The first 16 bytes of the SHA-256 of a server key's SubjectPublicKeyInfo.
package struct ServerKeyID: HexadecimalIdentifier {
    package let bytes: [UInt8]
    package init(checked bytes: [UInt8]) { self.bytes = bytes }

    package init(of key: P256.PublicKey) throws(CryptographyFailure) {
        let encoded = key.subjectPublicKeyInfo
        let hash = try HashAlgorithm.sha256.digest(of: encoded.span)
        self.init(checked: Array(hash.array.prefix(Self.byteCount)))
    }
}

extension FieldWriter {
    package mutating func append(_ key: ServerKeyID) { append(key.bytes) }
}
