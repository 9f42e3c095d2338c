import COpenSSL

/// RSA (RFC 8017), for standards and services that accept nothing else.
package enum RSA {
    /// A private key that OpenSSL stores, and wipes when the last reference goes.
    ///
    /// Its public key has the limits of `PublicKey`, so everyone can verify what it signs.
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
            guard EVP_PKEY_is_a(key.pointer, "RSA") == 1 else { throw .invalidRSAKey }
            _ = try RSA.PublicKey(key)
        }
    }
}

extension RSA.PrivateKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
