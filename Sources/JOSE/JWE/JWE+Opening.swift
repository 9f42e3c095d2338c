package import Cryptography

/// Nothing is released before the tag was verified.
///
/// The content is in ordinary memory: the memory that all keys share stays free for them, whatever a
/// stranger sends.
extension JWE {
    /// Opens a message of the algorithm `dir` with the key of its content.
    package func opened(
        with key: borrowing SecureBytes,
        permitting encryptions: [Encryption]
    ) throws(JOSEFailure) -> [UInt8] {
        try checkDirect()
        return try opened(key, encryptions)
    }

    /// Opens a message of the algorithm `ECDH-ES`.
    ///
    /// The first bytes of the derived key are the key of the content. The header's `apu` and `apv`
    /// are not used; if they exist, they must equal the values in `derivation`.
    package func opened(
        by key: P256.PrivateKey,
        deriving derivation: KeyDerivation,
        permitting encryptions: [Encryption]
    ) throws(JOSEFailure) -> [UInt8] {
        try opened(contentKey(by: key, derivation), encryptions)
    }

    /// Opens a message of the algorithm `RSA-OAEP-256`.
    package func opened(
        by key: RSA.PrivateKey,
        permitting encryptions: [Encryption]
    ) throws(JOSEFailure) -> [UInt8] {
        try opened(contentKey(by: key), encryptions)
    }

    private func opened(
        _ key: borrowing SecureBytes,
        _ permitted: [Encryption]
    ) throws(JOSEFailure) -> [UInt8] {
        guard permitted.contains(encryption) else { throw .refused }
        // A tag of another length would otherwise take bytes of the ciphertext, or lend it some.
        guard tagByteCount == Encryption.tagByteCount else { throw .refused }
        // The tag covers the header as it was written.
        let header = parts.text.span.extracting(first: parts.length(ofFirst: 1))
        return try encryption.open(
            sealed.span,
            key,
            nonce: nonce.span,
            authenticating: header
        )
    }
}

// MARK: Keys

extension JWE {
    private func checkDirect() throws(JOSEFailure) {
        guard algorithm == .direct, encryptedKey.isEmpty else { throw .refused }
    }

    private func contentKey(
        by key: P256.PrivateKey,
        _ derivation: KeyDerivation
    ) throws(JOSEFailure) -> SecureBytes {
        guard
            algorithm == .ecdhES, encryptedKey.isEmpty,
            try names(derivation.partyUInfo, in: "apu"),
            try names(derivation.partyVInfo, in: "apv"),
            let ephemeral = header["epk"]
        else { throw .refused }
        let publicKey = try P256.PublicKey(jwk: ephemeral, for: .encryption(.ecdhES))
        let secret = try orRefused(key.sharedSecret(with: publicKey))
        return try encryption.key(in: derivation.key(from: secret))
    }

    /// After a failure it is a random key, so the same work follows (RFC 7516, section 11.5).
    private func contentKey(by key: RSA.PrivateKey) throws(JOSEFailure) -> SecureBytes {
        guard algorithm == .rsaOAEP256 else { throw .refused }
        let substitute = try orRefused(SecureBytes.random(count: encryption.keyByteCount))
        do throws(CryptographyFailure) {
            let decrypted = try key.decrypt(encryptedKey.span)
            if decrypted.count == encryption.keyByteCount { return decrypted }
        } catch {
            if let failure = SystemFailure(cause: error) { throw .system(failure) }
        }
        return substitute
    }

    private func names(_ value: [UInt8], in member: String) throws(JOSEFailure) -> Bool {
        guard let text = try header.text(member) else { return true }
        return text == TextEncoding.base64URL.encode(value.span)
    }
}
