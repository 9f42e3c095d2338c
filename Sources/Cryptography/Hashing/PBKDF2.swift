import COpenSSL

/// Derives a key from a password (RFC 8018, section 5.2), for documents of other systems.
///
/// Our own formats never use it: PINs go through `Argon2id`.
package enum PBKDF2 {
    package static func deriveKey(
        _ algorithm: HashAlgorithm,
        from password: borrowing SecureBytes,
        salt: Span<UInt8>,
        iterations: Int,
        byteCount: Int
    ) throws(CryptographyFailure) -> SecureBytes {
        guard iterations > 0, byteCount > 0 else { throw .invalidArgument }
        let rounds = try OpenSSL.length(iterations)
        let characters = UnsafeRawPointer(password.address).assumingMemoryBound(to: CChar.self)
        let characterCount = try OpenSSL.length(password.count)
        return try SecureBytes(count: byteCount) { output throws(CryptographyFailure) in
            try salt.withCBytes { saltStart, saltCount throws(CryptographyFailure) in
                try OpenSSL.check(
                    PKCS5_PBKDF2_HMAC(
                        characters,
                        characterCount,
                        saltStart,
                        try OpenSSL.length(saltCount),
                        rounds,
                        algorithm.openSSLDigest,
                        try OpenSSL.length(byteCount),
                        output
                    ),
                    "PKCS5_PBKDF2_HMAC"
                )
            }
        }
    }
}
