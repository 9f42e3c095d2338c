import Cryptography

// Both ciphers append a tag of 16 bytes to the ciphertext.
extension JWE.Encryption {
    package var keyByteCount: Int {
        switch self {
        case .a128CBCHS256: AESCBCHMAC.keyByteCount
        case .a128GCM: AESCBCHMAC.keyByteCount / 2
        }
    }

    package var nonceByteCount: Int {
        switch self {
        case .a128CBCHS256: AESCBC.blockByteCount
        case .a128GCM: AESGCM.nonceByteCount
        }
    }

    /// The first bytes of a longer key.
    func key(in derived: borrowing SecureBytes) throws(JOSEFailure) -> SecureBytes {
        guard derived.count >= keyByteCount else { throw .refused }
        return try derived.withBytes { bytes throws(JOSEFailure) in
            try orRefused(SecureBytes(copying: bytes.extracting(first: keyByteCount)))
        }
    }

    static let tagByteCount = AESGCM.tagByteCount

    func seal(
        _ plaintext: Span<UInt8>,
        _ key: borrowing SecureBytes,
        nonce: Span<UInt8>,
        authenticating associated: Span<UInt8>
    ) throws(JOSEFailure) -> [UInt8] {
        switch self {
        case .a128CBCHS256:
            try orRefused(
                AESCBCHMAC.seal(
                    plaintext,
                    key: key,
                    initialisationVector: nonce,
                    authenticating: associated
                )
            )
        case .a128GCM:
            try orRefused(
                AESGCM.seal(plaintext, keyOf128Bits: key, nonce: nonce, authenticating: associated)
            )
        }
    }

    func open(
        _ sealed: Span<UInt8>,
        _ key: borrowing SecureBytes,
        nonce: Span<UInt8>,
        authenticating associated: Span<UInt8>
    ) throws(JOSEFailure) -> [UInt8] {
        switch self {
        case .a128CBCHS256:
            try orRefused(
                AESCBCHMAC.open(
                    sealed,
                    key: key,
                    initialisationVector: nonce,
                    authenticating: associated
                )
            )
        case .a128GCM:
            try orRefused(
                AESGCM.openContent(
                    sealed,
                    keyOf128Bits: key,
                    nonce: nonce,
                    authenticating: associated
                )
            )
        }
    }
}
