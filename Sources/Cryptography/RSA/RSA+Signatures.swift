import COpenSSL

extension RSA.PrivateKey {
    /// The RSASSA-PKCS1-v1_5 signature of `message` with SHA-256 (RS256 in JSON Web Tokens).
    package func signature(for message: Span<UInt8>) throws(CryptographyFailure) -> [UInt8] {
        try signature(for: message, [.end])
    }

    /// The RSASSA-PSS signature of `message` with SHA-256 (PS256 in JSON Web Tokens).
    package func pssSignature(for message: Span<UInt8>) throws(CryptographyFailure) -> [UInt8] {
        try signature(for: message, pssParameters)
    }

    private func signature(
        for message: Span<UInt8>,
        _ parameters: [OSSL_PARAM]
    ) throws(CryptographyFailure) -> [UInt8] {
        let context = try OpenSSL.check(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        defer { EVP_MD_CTX_free(context) }
        try OpenSSL.check(
            EVP_DigestSignInit_ex(context, nil, "SHA256", nil, nil, key.pointer, parameters),
            "EVP_DigestSignInit_ex"
        )
        var signature = [UInt8](repeating: 0, count: key.byteCount)
        var count = signature.count
        try message.withCBytes { start, messageCount throws(CryptographyFailure) in
            try OpenSSL.check(
                EVP_DigestSign(context, &signature, &count, start, messageCount),
                "EVP_DigestSign"
            )
        }
        return Array(signature.prefix(count))
    }
}

extension RSA.PublicKey {
    /// Returns whether `signature` is this key's RSASSA-PSS signature of `message` with SHA-256.
    package func isValid(
        pssSignature signature: Span<UInt8>,
        for message: Span<UInt8>
    ) throws(CryptographyFailure) -> Bool {
        let context = try OpenSSL.check(EVP_MD_CTX_new(), "EVP_MD_CTX_new")
        defer { EVP_MD_CTX_free(context) }
        try OpenSSL.check(
            EVP_DigestVerifyInit_ex(
                context,
                nil,
                "SHA256",
                nil,
                nil,
                key.pointer,
                pssParameters
            ),
            "EVP_DigestVerifyInit_ex"
        )
        let result = message.withCBytes { start, count in
            signature.withCBytes { signatureStart, signatureCount in
                EVP_DigestVerify(context, signatureStart, signatureCount, start, count)
            }
        }
        // 0 and −1 both mean "invalid".
        OpenSSL.forgetErrors()
        return result == 1
    }
}

/// RFC 7518, section 3.5: the salt is as long as the hash.
private var pssParameters: [OSSL_PARAM] {
    [
        .text("pad-mode", "pss"), .text("mgf1-digest", "SHA256"), .text("saltlen", "digest"),
        .end,
    ]
}
