import Cryptography

/// The SHA-256 digest of a public key that a server may have (RFC 7469, section 2.4).
package struct PublicKeyPin: Equatable, Sendable {
    let text: String

    /// Reads the base64 of a `SubjectPublicKeyInfo`'s digest.
    package init?(sha256 text: String) {
        // Malformed in whichever way, it is no pin.
        guard let digest = try? TextEncoding.base64.decode(text), digest.count == 32 else {
            return nil
        }
        self.text = text
    }
}
