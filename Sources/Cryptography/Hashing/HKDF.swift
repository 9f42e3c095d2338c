import COpenSSL

/// HMAC-based key derivation (RFC 5869).
package enum HKDF {
    /// Extracts and expands; the derived key is written directly to secure memory.
    package static func derive(
        _ algorithm: HashAlgorithm = .sha256,
        from inputKey: borrowing SecureBytes,
        salt: Span<UInt8> = Span(),
        info: Span<UInt8>,
        byteCount: Int
    ) throws(CryptographyFailure) -> SecureBytes {
        try run("EXTRACT_AND_EXPAND", algorithm, inputKey, salt, info, byteCount)
    }

    /// The pseudorandom key of RFC 5869, section 2.2.
    package static func extract(
        _ algorithm: HashAlgorithm = .sha256,
        from inputKey: borrowing SecureBytes,
        salt: Span<UInt8> = Span()
    ) throws(CryptographyFailure) -> SecureBytes {
        try run("EXTRACT_ONLY", algorithm, inputKey, salt, Span(), algorithm.byteCount)
    }

    /// Expands a key that is already pseudorandom (RFC 5869, section 2.3).
    package static func expand(
        _ algorithm: HashAlgorithm = .sha256,
        from pseudorandomKey: borrowing SecureBytes,
        info: Span<UInt8>,
        byteCount: Int
    ) throws(CryptographyFailure) -> SecureBytes {
        guard byteCount == algorithm.byteCount else {
            return try run("EXPAND_ONLY", algorithm, pseudorandomKey, Span(), info, byteCount)
        }
        return try expandOnce(algorithm, pseudorandomKey, info)
    }

    /// The first block alone is one MAC, which takes a third of the time of OpenSSL's derivation.
    private static func expandOnce(
        _ algorithm: HashAlgorithm,
        _ pseudorandomKey: borrowing SecureBytes,
        _ info: Span<UInt8>
    ) throws(CryptographyFailure) -> SecureBytes {
        guard info.count <= maximumInfo else { throw .invalidArgument }
        let mac = try HMAC(algorithm, key: pseudorandomKey)
        return try SecureBytes(count: algorithm.byteCount) { output throws(CryptographyFailure) in
            try mac.authenticate(into: output) { input throws(CryptographyFailure) in
                try input.append(info)
                try input.append([1 as UInt8].span)
            }
        }
    }

    private static func run(
        _ mode: StaticString,
        _ algorithm: HashAlgorithm,
        _ key: borrowing SecureBytes,
        _ salt: Span<UInt8>,
        _ info: Span<UInt8>,
        _ byteCount: Int
    ) throws(CryptographyFailure) -> SecureBytes {
        // The limit of RFC 5869, section 2.3, and of OpenSSL's buffer.
        guard
            (1...255 * algorithm.byteCount).contains(byteCount), info.count <= maximumInfo
        else { throw .invalidArgument }
        let keyStart = key.address
        let keyCount = key.count
        return try salt.withCBytes { saltStart, saltCount throws(CryptographyFailure) in
            try info.withCBytes { infoStart, infoCount throws(CryptographyFailure) in
                let parameters = [
                    OSSL_PARAM.text("mode", mode),
                    .text("digest", algorithm.openSSLName),
                    .bytes("key", keyStart, keyCount),
                    .bytes("salt", saltStart, saltCount),
                    .bytes("info", infoStart, infoCount),
                    .end,
                ]
                return try derive(parameters, byteCount: byteCount)
            }
        }
    }

    private static func derive(
        _ parameters: [OSSL_PARAM],
        byteCount: Int
    ) throws(CryptographyFailure) -> SecureBytes {
        let context = try OpenSSL.check(EVP_KDF_CTX_new(try kdf.get()), "EVP_KDF_CTX_new")
        defer { EVP_KDF_CTX_free(context) }
        return try SecureBytes(count: byteCount) { output throws(CryptographyFailure) in
            try OpenSSL.check(
                EVP_KDF_derive(context, output, byteCount, parameters),
                "EVP_KDF_derive"
            )
        }
    }

    private static let maximumInfo = 32 << 10
    private static let kdf = OpenSSL.fetch("EVP_KDF_fetch") { EVP_KDF_fetch(nil, "HKDF", nil) }
}
