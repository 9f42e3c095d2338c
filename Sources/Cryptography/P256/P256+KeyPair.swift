import COpenSSL

extension P256 {
    /// A private key where it is: in the memory of this process, or in an HSM.
    package protocol KeyPair: Sendable {
        /// Runs `use` with this key where its calls may block.
        func withoutBlocking<Outcome: ~Copyable & Sendable>(
            _ use: (any KeyPair) throws(CryptographyFailure) -> Outcome
        ) async throws(CryptographyFailure) -> Outcome

        /// Signs the SHA-256 of `message` by ECDSA.
        func signature(for message: Span<UInt8>) throws(CryptographyFailure) -> P256.Signature

        /// The x coordinate of the shared point with `other` (ECDH, SP 800-56A, 5.7.1.2).
        func sharedSecret(
            with other: P256.PublicKey
        ) throws(CryptographyFailure) -> SecureBytes
    }
}

extension KeyHandle: P256.KeyPair {
    /// Its calls do not block.
    func withoutBlocking<Outcome: ~Copyable & Sendable>(
        _ use: (any P256.KeyPair) throws(CryptographyFailure) -> Outcome
    ) async throws(CryptographyFailure) -> Outcome {
        try use(self)
    }

    func signature(for message: Span<UInt8>) throws(CryptographyFailure) -> P256.Signature {
        let context = try OpenSSL.check(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        defer { EVP_MD_CTX_free(context) }
        try OpenSSL.check(
            EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer),
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

    func sharedSecret(with other: P256.PublicKey) throws(CryptographyFailure) -> SecureBytes {
        let context = try OpenSSL.check(
            EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil),
            "EVP_PKEY_CTX_new_from_pkey"
        )
        defer { EVP_PKEY_CTX_free(context) }
        try OpenSSL.check(EVP_PKEY_derive_init(context), "EVP_PKEY_derive_init")
        // A `PublicKey` is on the curve, and each point of P-256 except infinity has its order. The
        // check of OpenSSL would multiply the point again, which takes as long as the agreement.
        try OpenSSL.check(
            EVP_PKEY_derive_set_peer_ex(context, other.key.pointer, 0),
            "EVP_PKEY_derive_set_peer_ex"
        )
        return try SecureBytes(count: P256.coordinateByteCount) {
            output throws(CryptographyFailure) in
            var count = P256.coordinateByteCount
            try OpenSSL.check(EVP_PKEY_derive(context, output, &count), "EVP_PKEY_derive")
        }
    }
}
