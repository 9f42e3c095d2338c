import COpenSSL

extension P256 {
    /// A private key that OpenSSL stores and wipes with the last reference, or that is in an HSM.
    package struct PrivateKey: Sendable {
        private let key: any KeyPair
        package let publicKey: PublicKey

        /// Generates a key.
        package init() throws(CryptographyFailure) {
            let key = try KeyHandle.generate()
            let point = try key.publicPoint()
            publicKey = try PublicKey(uncompressedPoint: point.span)
            self.key = key
        }

        /// Imports a stored key: a number from 1 to the curve's order minus one, 32 bytes.
        package init(scalar: borrowing SecureBytes) throws(CryptographyFailure) {
            let point = try KeyHandle.publicPoint(of: scalar)
            let key = try KeyHandle.importing(point: point.span, scalar: scalar)
            publicKey = try PublicKey(uncompressedPoint: point.span)
            self.key = key
        }

        /// Reads unencrypted PKCS#8 in PEM.
        package init(pem: Span<UInt8>) throws(CryptographyFailure) {
            let key = try PrivateKeyInfo.key(inPEM: pem)
            guard EVP_PKEY_is_a(key.pointer, "EC") == 1, key.isOnP256 else {
                throw .invalidCurveEncoding
            }
            try self.init(scalar: key.scalar())
        }

        /// A key in an HSM, with its public half.
        package init(_ key: any KeyPair, publicKey: PublicKey) {
            self.key = key
            self.publicKey = publicKey
        }

        /// The number to store; only a key in memory has one.
        package func scalar() throws(CryptographyFailure) -> SecureBytes {
            guard let key = key as? KeyHandle else { throw .invalidArgument }
            return try key.scalar()
        }
    }
}

extension P256.PrivateKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension P256.PrivateKey {
    /// Signs the SHA-256 of `message` by ECDSA.
    package func signature(for message: Span<UInt8>) throws(CryptographyFailure) -> P256.Signature {
        try key.signature(for: message)
    }

    /// The x coordinate of the shared point with `other` (ECDH, SP 800-56A, 5.7.1.2).
    ///
    /// It is not a key: derive a key from it by `HKDF`.
    package func sharedSecret(
        with other: P256.PublicKey
    ) throws(CryptographyFailure) -> SecureBytes {
        try key.sharedSecret(with: other)
    }

    /// Runs `use` with this key where its calls may block.
    ///
    /// Otherwise a slow HSM would stop an event loop with all its connections. Fails with `keyBusy`
    /// if too many calls wait for the HSM, and does not call `use` then.
    package func withoutBlocking<Outcome: ~Copyable & Sendable>(
        _ use: (P256.PrivateKey) throws(CryptographyFailure) -> Outcome
    ) async throws(CryptographyFailure) -> Outcome {
        try await key.withoutBlocking { key throws(CryptographyFailure) in
            try use(P256.PrivateKey(key, publicKey: publicKey))
        }
    }
}
