import Cryptography

/// The SHA-256 digest of an allowed server key (RFC 7469, section 2.4).
package struct PublicKeyPin: Equatable, Sendable {
    let text: String

    /// Reads the base64 digest of a `SubjectPublicKeyInfo`.
    package init?(sha256 text: String) {
        // Any decoding failure means that it is not a pin.
        guard let digest = try? TextEncoding.base64.decode(text), digest.count == 32 else {
            return nil
        }
        self.text = text
    }
}
