import COpenSSL

/// RSA (RFC 8017), for standards and services that accept nothing else.
package enum RSA {
    static let minimumBits = 2048

    /// A private key that OpenSSL stores, and wipes when the last reference goes.
    package struct PrivateKey: Sendable {
        let key: KeyHandle

        private static let beginning = "-----BEGIN PRIVATE KEY-----"
        private static let end = "-----END PRIVATE KEY-----"

        /// Reads unencrypted PKCS#8 in PEM (RFC 7468, section 10).
        package init(pem: Span<UInt8>) throws(CryptographyFailure) {
            let info = try Self.keyInfo(in: pem)
            self = try info.withBytes { bytes throws(CryptographyFailure) in
                try RSA.PrivateKey(der: bytes)
            }
        }

        /// Reads unencrypted PKCS#8 (RFC 5958).
        package init(der: Span<UInt8>) throws(CryptographyFailure) {
            let key = try Self.key(in: der)
            guard
                EVP_PKEY_is_a(key.pointer, "RSA") == 1,
                EVP_PKEY_get_bits(key.pointer) >= Int32(minimumBits)
            else { throw .invalidRSAKey }
            self.key = key
        }
    }
}

extension RSA.PrivateKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

// MARK: Reading

extension RSA.PrivateKey {
    /// The decoded bytes between the two marker lines of a PEM text.
    private static func keyInfo(in pem: Span<UInt8>) throws(CryptographyFailure) -> SecureBytes {
        let blanks = pem.indices.reversed().prefix { isLineBreak(pem[$0]) }.count
        let text = pem.extracting(droppingLast: blanks)
        let frame = beginning.utf8.count + end.utf8.count
        guard
            text.count > frame,
            text.extracting(first: beginning.utf8.count).array == Array(beginning.utf8),
            text.extracting(last: end.utf8.count).array == Array(end.utf8)
        else { throw .invalidRSAKey }
        let body = text.extracting(droppingFirst: beginning.utf8.count)
            .extracting(droppingLast: end.utf8.count)
        let places = body.indices.filter { !isLineBreak(body[$0]) }
        let characters = try SecureBytes(writing: places.count) { output in
            for (index, place) in places.enumerated() { output[index] = body[place] }
        }
        do throws(CryptographyFailure) {
            return try characters.withBytes { characters throws(CryptographyFailure) in
                try TextEncoding.base64.decode(secret: characters)
            }
        } catch .malformedEncoding {
            throw .invalidRSAKey
        }
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }

    private static func key(in bytes: Span<UInt8>) throws(CryptographyFailure) -> KeyHandle {
        // The error would confuse this thread's next call, and may quote the input.
        defer { OpenSSL.forgetErrors() }
        return try bytes.withCBytes { start, count throws(CryptographyFailure) in
            var next: UnsafePointer<UInt8>? = start
            guard let info = d2i_PKCS8_PRIV_KEY_INFO(nil, &next, count) else {
                throw .invalidRSAKey
            }
            defer { PKCS8_PRIV_KEY_INFO_free(info) }
            guard next == start + count, let pointer = EVP_PKCS82PKEY(info) else {
                throw .invalidRSAKey
            }
            return KeyHandle(pointer)
        }
    }
}
