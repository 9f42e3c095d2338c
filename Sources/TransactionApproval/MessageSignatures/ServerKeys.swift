package import Cryptography

/// The name of a key that a server signs answers with, made from the key itself.
package struct ServerKeyID: Hashable, Sendable, CustomStringConvertible {
    package let description: String

    /// 16 bytes of the hash of the key as X.509 has it, in hexadecimal.
    package init(of key: P256.PublicKey) throws(CryptographyFailure) {
        let digest = try HashAlgorithm.sha256.digest(of: key.subjectPublicKeyInfo.span)
        description = digest.withBytes {
            TextEncoding.hexadecimal.encode($0.extracting(first: 16))
        }
    }

    /// Takes any text: it is the name of a key once a key has that name.
    init(unchecked text: String) {
        description = text
    }
}

/// The server keys that a device trusts, by name: the present one and, once announced, the next.
package struct ServerKeys: Sendable {
    private let keys: [ServerKeyID: P256.PublicKey]

    package init(
        current: P256.PublicKey,
        next: P256.PublicKey? = nil
    ) throws(CryptographyFailure) {
        var keys = [try ServerKeyID(of: current): current]
        if let next { keys[try ServerKeyID(of: next)] = next }
        self.keys = keys
    }

    subscript(id: ServerKeyID) -> P256.PublicKey? { keys[id] }
}
