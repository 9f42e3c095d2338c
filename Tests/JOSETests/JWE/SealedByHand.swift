import Cryptography
import JOSE

/// A token with any header, which the key authenticates.
struct SealedByHand {
    var header: String
    var encryptedKey = ""
    var nonce = [UInt8](repeating: 7, count: 12)
    var plaintext = Array("text".utf8)

    init(_ header: String) {
        self.header = header
    }

    /// Sealed by AES-GCM; the parts are in base64url.
    func parts(_ key: borrowing SecureBytes) throws -> [String] {
        let authenticated = Array(header.base64URL.utf8)
        let sealed = try AESGCM.seal(
            plaintext.span,
            keyOf128Bits: key,
            nonce: nonce.span,
            authenticating: authenticated.span
        )
        return [
            header.base64URL, encryptedKey, TextEncoding.base64URL.encode(nonce.span),
            TextEncoding.base64URL.encode(sealed.span.extracting(droppingLast: 16)),
            TextEncoding.base64URL.encode(sealed.span.extracting(last: 16)),
        ]
    }

    func text(_ key: borrowing SecureBytes) throws -> String {
        try parts(key).joined(separator: ".")
    }
}
