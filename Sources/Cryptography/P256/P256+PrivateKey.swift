import COpenSSL

extension P256 {
    /// A private key that OpenSSL stores, and wipes when the last reference goes.
    package struct PrivateKey: Sendable {
        private let key: KeyHandle
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

        /// The number to store.
        package func scalar() throws(CryptographyFailure) -> SecureBytes {
            try key.scalar()
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
        let context = try OpenSSL.check(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        defer { EVP_MD_CTX_free(context) }
        try OpenSSL.check(
            EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer),
            "EVP_DigestSignInit"
        )
        var encoded = [UInt8](repeating: 0, count: P256.Signature.maximumDistinguishedEncoding)
        var count = encoded.count
        try message.withCBytes { start, messageCount throws(CryptographyFailure) in
            try OpenSSL.check(
                EVP_DigestSign(context, &encoded, &count, start, messageCount),
                "EVP_DigestSign"
            )
        }
        return try P256.Signature(distinguishedEncoding: encoded.span.extracting(first: count))
    }

    /// The x coordinate of the shared point with `other` (ECDH, SP 800-56A, 5.7.1.2).
    ///
    /// It is not a key: derive a key from it by `HKDF`.
    package func sharedSecret(
        with other: P256.PublicKey
    ) throws(CryptographyFailure) -> SecureBytes {
        let context = try OpenSSL.check(
            EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil),
            "EVP_PKEY_CTX_new_from_pkey"
        )
        defer { EVP_PKEY_CTX_free(context) }
        try OpenSSL.check(EVP_PKEY_derive_init(context), "EVP_PKEY_derive_init")
        try OpenSSL.check(
            EVP_PKEY_derive_set_peer(context, other.key.pointer),
            "EVP_PKEY_derive_set_peer"
        )
        return try SecureBytes(count: P256.coordinateByteCount) {
            output throws(CryptographyFailure) in
            var count = P256.coordinateByteCount
            try OpenSSL.check(EVP_PKEY_derive(context, output, &count), "EVP_PKEY_derive")
        }
    }
}
