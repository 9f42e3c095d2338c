import COpenSSL

/// AES-GCM (NIST SP 800-38D) with a 96-bit nonce and a 128-bit tag.
///
/// Keys have 256 bits. Only formats of others that require keys of 128 bits have them.
///
/// Never use a key twice with the same nonce. Derive one key per row or message by `HKDF`, or use a
/// fresh random nonce.
package enum AESGCM {
    package static let keyByteCount = 32
    package static let nonceByteCount = 12
    package static let tagByteCount = 16

    /// Encrypts and authenticates; returns the ciphertext followed by the tag.
    ///
    /// The result begins with `prefix`, which is neither encrypted nor authenticated.
    package static func seal(
        _ plaintext: Span<UInt8>,
        key: borrowing SecureBytes,
        nonce: Span<UInt8>,
        authenticating associated: Span<UInt8> = Span(),
        after prefix: [UInt8] = []
    ) throws(CryptographyFailure) -> [UInt8] {
        try seal(plaintext, .aes256GCM, key, nonce, associated, prefix)
    }

    /// The same by AES-128-GCM, for messages of RFC 7518 and RFC 8188.
    package static func seal(
        _ plaintext: Span<UInt8>,
        keyOf128Bits: borrowing SecureBytes,
        nonce: Span<UInt8>,
        authenticating associated: Span<UInt8> = Span()
    ) throws(CryptographyFailure) -> [UInt8] {
        try seal(plaintext, .aes128GCM, keyOf128Bits, nonce, associated, [])
    }

    private static func seal(
        _ plaintext: Span<UInt8>,
        _ cipher: Cipher,
        _ key: borrowing SecureBytes,
        _ nonce: Span<UInt8>,
        _ associated: Span<UInt8>,
        _ prefix: [UInt8]
    ) throws(CryptographyFailure) -> [UInt8] {
        let context = try key.withBytes { key throws(CryptographyFailure) in
            try CipherContext(.encrypt, cipher, key: key, nonce: nonce)
        }
        try context.authenticate(associated)
        let byteCount = prefix.count + plaintext.count + tagByteCount
        var sealed = [UInt8](repeating: 0, count: byteCount)
        try sealed.withUnsafeMutableBufferPointer { buffer throws(CryptographyFailure) in
            // The buffer contains at least the tag, so it has an address.
            // swift-format-ignore: NeverForceUnwrap
            let output = buffer.baseAddress! + buffer.update(fromContentsOf: prefix)
            try context.update(plaintext, into: output)
            try context.finish(into: output + plaintext.count)
            try context.readTag(into: output + plaintext.count)
        }
        return sealed
    }

    /// Decrypts a result of `seal`; returns no byte if the tag is wrong.
    package static func open(
        _ sealed: Span<UInt8>,
        key: borrowing SecureBytes,
        nonce: Span<UInt8>,
        authenticating associated: Span<UInt8> = Span()
    ) throws(CryptographyFailure) -> SecureBytes {
        guard sealed.count >= tagByteCount else { throw .authenticationFailed }
        return try SecureBytes(count: sealed.count - tagByteCount) {
            output throws(CryptographyFailure) in
            try decrypt(sealed, .aes256GCM, key, nonce, associated, into: output)
        }
    }

    /// The same for content that is not a secret, in ordinary memory.
    ///
    /// The memory that all keys share stays free for them, whatever a stranger sends.
    package static func openContent(
        _ sealed: Span<UInt8>,
        key: borrowing SecureBytes,
        nonce: Span<UInt8>,
        authenticating associated: Span<UInt8>
    ) throws(CryptographyFailure) -> [UInt8] {
        try openContent(sealed, .aes256GCM, key, nonce, associated)
    }

    /// The same by AES-128-GCM.
    package static func openContent(
        _ sealed: Span<UInt8>,
        keyOf128Bits: borrowing SecureBytes,
        nonce: Span<UInt8>,
        authenticating associated: Span<UInt8>
    ) throws(CryptographyFailure) -> [UInt8] {
        try openContent(sealed, .aes128GCM, keyOf128Bits, nonce, associated)
    }

    private static func openContent(
        _ sealed: Span<UInt8>,
        _ cipher: Cipher,
        _ key: borrowing SecureBytes,
        _ nonce: Span<UInt8>,
        _ associated: Span<UInt8>
    ) throws(CryptographyFailure) -> [UInt8] {
        guard sealed.count >= tagByteCount else { throw .authenticationFailed }
        let plainCount = sealed.count - tagByteCount
        return try [UInt8](capacity: plainCount) { output throws(CryptographyFailure) in
            try decrypt(sealed, cipher, key, nonce, associated, into: output)
            return plainCount
        }
    }

    /// Writes the plaintext, which must be wiped if this fails.
    private static func decrypt(
        _ sealed: Span<UInt8>,
        _ cipher: Cipher,
        _ key: borrowing SecureBytes,
        _ nonce: Span<UInt8>,
        _ associated: Span<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(CryptographyFailure) {
        let plainCount = sealed.count - tagByteCount
        let context = try key.withBytes { key throws(CryptographyFailure) in
            try CipherContext(.decrypt, cipher, key: key, nonce: nonce)
        }
        try context.authenticate(associated)
        try context.expectTag(sealed.extracting(last: tagByteCount))
        try context.update(sealed.extracting(first: plainCount), into: output)
        do throws(CryptographyFailure) {
            try context.finish(into: output + plainCount)
        } catch {
            throw .authenticationFailed
        }
    }
}
