import COpenSSL

/// AES-256-GCM (NIST SP 800-38D) with a nonce of 96 bits and a tag of 128.
///
/// A key must never see the same nonce twice: give each row or message a key of its own by `HKDF`,
/// or a fresh random nonce.
package enum AESGCM {
    package static let keyByteCount = 32
    package static let nonceByteCount = 12
    package static let tagByteCount = 16

    /// Encrypts and authenticates; gives the ciphertext with the tag behind it.
    package static func seal(
        _ plaintext: Span<UInt8>,
        key: borrowing SecureBytes,
        nonce: Span<UInt8>,
        authenticating associated: Span<UInt8> = Span()
    ) throws(CryptographyFailure) -> [UInt8] {
        let context = try CipherContext(.encrypt, .aes256GCM, key: key, nonce: nonce)
        try context.authenticate(associated)
        var sealed = [UInt8](repeating: 0, count: plaintext.count + tagByteCount)
        try sealed.withUnsafeMutableBufferPointer { buffer throws(CryptographyFailure) in
            // At least the tag is in it, so it has an address.
            // swift-format-ignore: NeverForceUnwrap
            let output = buffer.baseAddress!
            try context.update(plaintext, into: output)
            try context.finish(into: output + plaintext.count)
            try context.readTag(into: output + plaintext.count)
        }
        return sealed
    }

    /// Decrypts what `seal` gave; nothing of it is released where the tag does not hold.
    package static func open(
        _ sealed: Span<UInt8>,
        key: borrowing SecureBytes,
        nonce: Span<UInt8>,
        authenticating associated: Span<UInt8> = Span()
    ) throws(CryptographyFailure) -> SecureBytes {
        guard sealed.count >= tagByteCount else { throw .authenticationFailed }
        let plainCount = sealed.count - tagByteCount
        let context = try CipherContext(.decrypt, .aes256GCM, key: key, nonce: nonce)
        try context.authenticate(associated)
        try context.expectTag(sealed.extracting(last: tagByteCount))
        return try SecureBytes(count: plainCount) { output throws(CryptographyFailure) in
            try context.update(sealed.extracting(first: plainCount), into: output)
            do throws(CryptographyFailure) {
                try context.finish(into: output + plainCount)
            } catch {
                throw .authenticationFailed
            }
        }
    }
}
