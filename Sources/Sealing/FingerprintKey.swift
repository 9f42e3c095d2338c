package import Cryptography

/// The key for fingerprints of calls that contain a code.
///
/// Without the key, a fingerprint does not help to test a code. The key is random and sealed in the
/// store, so fingerprints stay the same after a key rotation.
package final class FingerprintKey: Sendable {
    private let bytes: SecureBytes

    /// Returns nil if there are not exactly 32 bytes.
    package init?(_ bytes: consuming SecureBytes) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    package static let byteCount = 32

    /// For many messages, each of them in parts.
    package func chain() throws(CryptographyFailure) -> HMAC {
        try HMAC(.sha256, key: bytes)
    }

    package func fingerprint(of message: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        try HMAC(.sha256, key: bytes).authenticate(message.span).array
    }
}
