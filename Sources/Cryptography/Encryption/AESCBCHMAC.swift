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
        return try key.withBytes { key throws(CryptographyFailure) in
            var sealed = try AESCBC.encrypt(
                plaintext,
                keyBytes: key.extracting(last: halfByteCount),
                initialisationVector: initialisationVector
            )
            let mac = try mac(of: sealed.span, key, initialisationVector, associated)
            mac.withBytes { bytes in
                for index in 0..<tagByteCount { sealed.append(bytes[index]) }
            }
            return sealed
        }
    }

    /// Decrypts a result of `seal`; returns no byte if tag or padding is wrong.
    ///
    /// The tag is compared first and in constant time, so there is no padding oracle. The plaintext is
    /// in ordinary memory.
    package static func open(
        _ sealed: Span<UInt8>,
        key: borrowing SecureBytes,
        initialisationVector: Span<UInt8>,
        authenticating associated: Span<UInt8>
    ) throws(CryptographyFailure) -> [UInt8] {
        try key.withBytes { key throws(CryptographyFailure) in
            try check(sealed, key, initialisationVector, associated)
            let ciphertext = sealed.extracting(droppingLast: tagByteCount)
            return try [UInt8](capacity: ciphertext.count) { output throws(CryptographyFailure) in
                try AESCBC.decryptStrictly(
                    ciphertext,
                    key.extracting(last: halfByteCount),
                    initialisationVector,
                    into: output
                )
            }
        }
    }

    /// Throws unless the tag is right.
    private static func check(
        _ sealed: Span<UInt8>,
        _ key: Span<UInt8>,
        _ initialisationVector: Span<UInt8>,
        _ associated: Span<UInt8>
    ) throws(CryptographyFailure) {
        guard key.count == keyByteCount else { throw .invalidArgument }
        guard sealed.count >= tagByteCount else { throw .authenticationFailed }
        let ciphertext = sealed.extracting(droppingLast: tagByteCount)
        let mac = try mac(of: ciphertext, key, initialisationVector, associated)
        let isAuthentic = mac.withBytes {
            equalInConstantTime(
                $0.extracting(first: tagByteCount),
                sealed.extracting(last: tagByteCount)
            )
        }
        guard isAuthentic, initialisationVector.count == AESCBC.blockByteCount else {
            throw .authenticationFailed
        }
    }

    /// The tag is the first half of it.
    private static func mac(
        of ciphertext: Span<UInt8>,
        _ key: Span<UInt8>,
        _ initialisationVector: Span<UInt8>,
        _ associated: Span<UInt8>
    ) throws(CryptographyFailure) -> Digest {
        let bitCount = UInt64(associated.count) * 8
        let length = InlineArray<8, UInt8> {
            UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0))
        }
        let mac = try HMAC(.sha256, keyBytes: key.extracting(first: halfByteCount))
        return try mac.authenticate { input throws(CryptographyFailure) in
            try input.append(associated)
            try input.append(initialisationVector)
            try input.append(ciphertext)
            try input.append(length.span)
        }
    }

    private static let halfByteCount = keyByteCount / 2
}
