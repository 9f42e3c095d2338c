import COpenSSL

/// The single-step key derivation with SHA-256 (NIST SP 800-56C, section 4), also named Concat KDF.
package enum ConcatKDF {
    /// Derives from a shared secret; the caller composes `fixedInfo` as its protocol requires.
    package static func derive(
        from secret: borrowing SecureBytes,
        fixedInfo: Span<UInt8>,
        byteCount: Int
    ) throws(CryptographyFailure) -> SecureBytes {
        guard (1...maximumByteCount).contains(byteCount), secret.count > 0 else {
            throw .invalidArgument
        }
        let secretStart = secret.address
        let secretCount = secret.count
        return try fixedInfo.withCBytes { infoStart, infoCount throws(CryptographyFailure) in
            let parameters = [
                OSSL_PARAM.text("digest", HashAlgorithm.sha256.openSSLName),
                .bytes("secret", secretStart, secretCount),
                .bytes("info", infoStart, infoCount),
                .end,
            ]
            let context = try OpenSSL.check(EVP_KDF_CTX_new(try kdf.get()), "EVP_KDF_CTX_new")
            defer { EVP_KDF_CTX_free(context) }
            return try SecureBytes(count: byteCount) { output throws(CryptographyFailure) in
                try OpenSSL.check(
                    EVP_KDF_derive(context, output, byteCount, parameters),
                    "EVP_KDF_derive"
                )
            }
        }
    }

    private static let maximumByteCount = 255 * HashAlgorithm.sha256.byteCount
    private static let kdf = OpenSSL.fetch("EVP_KDF_fetch") { EVP_KDF_fetch(nil, "SSKDF", nil) }
}
