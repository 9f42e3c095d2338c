import COpenSSL

/// RSA (RFC 8017), for standards and services that accept nothing else.
package enum RSA {
    static let minimumBits = 2048

    /// A private key that OpenSSL stores, and wipes when the last reference goes.
    package struct PrivateKey: Sendable {
        let key: KeyHandle

        /// Reads unencrypted PKCS#8 in PEM.
        package init(pem: Span<UInt8>) throws(CryptographyFailure) {
            try self.init(PrivateKeyInfo.key(inPEM: pem))
        }

        /// Reads unencrypted PKCS#8.
        package init(der: Span<UInt8>) throws(CryptographyFailure) {
            try self.init(PrivateKeyInfo.key(der: der))
        }

        private init(
            _ read: @autoclosure () throws(CryptographyFailure) -> KeyHandle
        ) throws(CryptographyFailure) {
            do throws(CryptographyFailure) {
                key = try read()
            } catch .malformedEncoding {
                throw .invalidRSAKey
            }
            guard
                EVP_PKEY_is_a(key.pointer, "RSA") == 1,
                EVP_PKEY_get_bits(key.pointer) >= Int32(RSA.minimumBits)
            else { throw .invalidRSAKey }
        }
    }
}

extension RSA.PrivateKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
