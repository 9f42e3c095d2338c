import COpenSSL

extension RSA.PublicKey {
    /// Encrypts a short secret by RSAES-OAEP with SHA-256 (RFC 8017, section 7.1).
    package func encrypt(_ secret: borrowing SecureBytes) throws(CryptographyFailure) -> [UInt8] {
        let context = try key.makeContext()
        defer { EVP_PKEY_CTX_free(context) }
        try OpenSSL.check(
            EVP_PKEY_encrypt_init_ex(context, oaepParameters),
            "EVP_PKEY_encrypt_init_ex"
        )
        var ciphertext = [UInt8](repeating: 0, count: key.byteCount)
        var count = ciphertext.count
        try OpenSSL.check(
            EVP_PKEY_encrypt(context, &ciphertext, &count, secret.address, secret.count),
            "EVP_PKEY_encrypt"
        )
        return Array(ciphertext.prefix(count))
    }
}

extension RSA.PrivateKey {
    /// Decrypts a result of `encrypt`.
    package func decrypt(
        _ ciphertext: Span<UInt8>
    ) throws(CryptographyFailure) -> SecureBytes {
        guard ciphertext.count == key.byteCount else { throw .authenticationFailed }
        let context = try key.makeContext()
        defer { EVP_PKEY_CTX_free(context) }
        try OpenSSL.check(
            EVP_PKEY_decrypt_init_ex(context, oaepParameters),
            "EVP_PKEY_decrypt_init_ex"
        )
        var count = ciphertext.count
        let padded = try SecureBytes(count: count) { output throws(CryptographyFailure) in
            let result = ciphertext.withCBytes { start, ciphertextCount in
                EVP_PKEY_decrypt(context, output, &count, start, ciphertextCount)
            }
            OpenSSL.forgetErrors()
            guard result == 1 else { throw .authenticationFailed }
        }
        return padded.prefix(count)
    }
}

private var oaepParameters: [OSSL_PARAM] {
    [
        .text("pad-mode", "oaep"), .text("digest", "SHA256"), .text("mgf1-digest", "SHA256"),
        .end,
    ]
}

extension KeyHandle {
    /// The length of a modulus, a ciphertext or a signature.
    var byteCount: Int { Int(EVP_PKEY_get_size(pointer)) }

    fileprivate func makeContext() throws(CryptographyFailure) -> OpaquePointer {
        try OpenSSL.check(
            EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil),
            "EVP_PKEY_CTX_new_from_pkey"
        )
    }
}
