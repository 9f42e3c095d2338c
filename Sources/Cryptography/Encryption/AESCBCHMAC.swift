import COpenSSL

/// AES-128-CBC with HMAC-SHA-256 as one authenticated cipher (RFC 7518, section 5.2.3).
///
/// The first half of the key is for the MAC, the second half for the cipher. Each message needs a
/// fresh random initialisation vector.
package enum AESCBCHMAC {
    package static let keyByteCount = 32
    private static let tagByteCount = 16

    /// Encrypts and authenticates; returns the ciphertext followed by the tag.
    package static func seal(
        _ plaintext: Span<UInt8>,
        key: borrowing SecureBytes,
        initialisationVector: Span<UInt8>,
        authenticating associated: Span<UInt8>
    ) throws(CryptographyFailure) -> [UInt8] {
        guard key.count == keyByteCount else { throw .invalidArgument }
        let ciphertext = try AESCBC.encrypt(
            plaintext,
            key: try encryptionKey(in: key),
            initialisationVector: initialisationVector
        )
        return ciphertext + (try tag(of: ciphertext.span, key, initialisationVector, associated))
    }

    /// Decrypts a result of `seal`; returns no byte if tag or padding is wrong.
    ///
    /// The tag is compared first and in constant time, so there is no padding oracle.
    package static func open(
        _ sealed: Span<UInt8>,
        key: borrowing SecureBytes,
        initialisationVector: Span<UInt8>,
        authenticating associated: Span<UInt8>
    ) throws(CryptographyFailure) -> SecureBytes {
        guard key.count == keyByteCount else { throw .invalidArgument }
        guard sealed.count >= tagByteCount else { throw .authenticationFailed }
        let ciphertext = sealed.extracting(droppingLast: tagByteCount)
        let tag = try tag(of: ciphertext, key, initialisationVector, associated)
        guard
            equalInConstantTime(tag.span, sealed.extracting(last: tagByteCount)),
            initialisationVector.count == AESCBC.blockByteCount
        else { throw .authenticationFailed }
        return try AESCBC.decryptStrictly(
            ciphertext,
            key: try encryptionKey(in: key),
            initialisationVector: initialisationVector
        )
    }

    private static func tag(
        of ciphertext: Span<UInt8>,
        _ key: borrowing SecureBytes,
        _ initialisationVector: Span<UInt8>,
        _ associated: Span<UInt8>
    ) throws(CryptographyFailure) -> [UInt8] {
        let authenticationKey = try key.withBytes { bytes throws(CryptographyFailure) in
            try SecureBytes(copying: bytes.extracting(first: halfByteCount))
        }
        let bitCount = UInt64(associated.count) * 8
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) }
        let mac = try HMAC(.sha256, key: authenticationKey)
        let digest = try mac.authenticate { input throws(CryptographyFailure) in
            try input.append(associated)
            try input.append(initialisationVector)
            try input.append(ciphertext)
            try input.append(length.span)
        }
        return digest.withBytes { $0.extracting(first: tagByteCount).array }
    }

    private static func encryptionKey(
        in key: borrowing SecureBytes
    ) throws(CryptographyFailure) -> SecureBytes {
        try key.withBytes { bytes throws(CryptographyFailure) in
            try SecureBytes(copying: bytes.extracting(last: halfByteCount))
        }
    }

    private static let halfByteCount = keyByteCount / 2
}
