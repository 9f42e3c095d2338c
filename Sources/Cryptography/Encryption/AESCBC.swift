import COpenSSL

/// AES-CBC with the padding of XML Encryption 1.1, section 5.2, for documents of other systems.
///
/// It does not authenticate: check a MAC over the ciphertext first. Our own formats never use it.
package enum AESCBC {
    package static let blockByteCount = 16

    package static func encrypt(
        _ plaintext: Span<UInt8>,
        key: borrowing SecureBytes,
        initialisationVector: Span<UInt8>
    ) throws(CryptographyFailure) -> [UInt8] {
        try key.withBytes { key throws(CryptographyFailure) in
            try encrypt(plaintext, keyBytes: key, initialisationVector: initialisationVector)
        }
    }

    /// The same with a part of a longer secret.
    static func encrypt(
        _ plaintext: Span<UInt8>,
        keyBytes key: Span<UInt8>,
        initialisationVector: Span<UInt8>
    ) throws(CryptographyFailure) -> [UInt8] {
        let context = try CipherContext(
            .encrypt,
            try cipher(for: key),
            key: key,
            nonce: initialisationVector
        )
        let padded = (plaintext.count / blockByteCount + 1) * blockByteCount
        var ciphertext = [UInt8](repeating: 0, count: padded)
        try ciphertext.withUnsafeMutableBufferPointer { buffer throws(CryptographyFailure) in
            // At least one block exists, so the buffer has an address.
            // swift-format-ignore: NeverForceUnwrap
            let output = buffer.baseAddress!
            let written = try context.update(plaintext, into: output)
            try context.finish(into: output + written)
        }
        return ciphertext
    }

    /// Decrypts and removes the padding: its last byte is the count, the others may be anything.
    package static func decrypt(
        _ ciphertext: Span<UInt8>,
        key: borrowing SecureBytes,
        initialisationVector: Span<UInt8>
    ) throws(CryptographyFailure) -> SecureBytes {
        guard ciphertext.count > 0, ciphertext.count % blockByteCount == 0 else {
            throw .invalidArgument
        }
        let context = try key.withBytes { key throws(CryptographyFailure) in
            try CipherContext(
                .decrypt,
                try cipher(for: key),
                key: key,
                nonce: initialisationVector
            )
        }
        try context.keepPadding()
        let padded = try SecureBytes(count: ciphertext.count) {
            output throws(CryptographyFailure) in
            try context.update(ciphertext, into: output)
        }
        let paddingCount = padded.withBytes { Int($0[$0.count - 1]) }
        guard (1...blockByteCount).contains(paddingCount) else { throw .authenticationFailed }
        return padded.prefix(ciphertext.count - paddingCount)
    }

    /// Decrypts and removes padding whose bytes all contain their count (RFC 5652, section 6.3).
    ///
    /// Returns the count of bytes without padding.
    static func decryptStrictly(
        _ ciphertext: Span<UInt8>,
        _ key: Span<UInt8>,
        _ initialisationVector: Span<UInt8>,
        into output: UnsafeMutablePointer<UInt8>
    ) throws(CryptographyFailure) -> Int {
        let context = try CipherContext(
            .decrypt,
            try cipher(for: key),
            key: key,
            nonce: initialisationVector
        )
        let plainCount = try context.update(ciphertext, into: output)
        do throws(CryptographyFailure) {
            return plainCount + (try context.finish(into: output + plainCount))
        } catch {
            throw .authenticationFailed
        }
    }

    private static func cipher(
        for key: Span<UInt8>
    ) throws(CryptographyFailure) -> Cipher {
        switch key.count {
        case 16: .aes128CBC
        case 24: .aes192CBC
        case 32: .aes256CBC
        default: throw .invalidArgument
        }
    }
}
