import COpenSSL

extension Certificate {
    /// A key that a certificate can bind to a name.
    package enum PublicKey: Equatable, Sendable {
        case p256(P256.PublicKey)
        case rsa(RSA.PublicKey)
    }
}

extension Certificate.PublicKey {
    /// Reads a key without a certificate, from PEM (RFC 7468, section 13).
    package init(pem: Span<UInt8>) throws(CryptographyFailure) {
        defer { OpenSSL.forgetErrors() }
        let key = try pem.withCBytes { start, count throws(CryptographyFailure) in
            let memory = try OpenSSL.check(
                BIO_new_mem_buf(start, try OpenSSL.length(count)),
                "BIO_new_mem_buf"
            )
            defer { BIO_free(memory) }
            // OpenSSL would ask the terminal for the password of an encrypted key.
            guard let key = PEM_read_bio_PUBKEY(memory, nil, { _, _, _, _ in -1 }, nil) else {
                throw OpenSSL.lackOfMemory("PEM_read_bio_PUBKEY") ?? .malformedEncoding(offset: 0)
            }
            return KeyHandle(key)
        }
        try self.init(key)
    }

    /// Throws for keys of every other kind.
    init(_ key: KeyHandle) throws(CryptographyFailure) {
        if EVP_PKEY_is_a(key.pointer, "RSA") == 1 {
            self = .rsa(try RSA.PublicKey(key))
        } else {
            let encoded = try Certificate.encoded("i2d_PUBKEY") { i2d_PUBKEY(key.pointer, &$0) }
            self = .p256(try P256.PublicKey(subjectPublicKeyInfo: encoded.span))
        }
    }
}
