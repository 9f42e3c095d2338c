import COpenSSL

/// Private keys in unencrypted PKCS#8 (RFC 5958), as other programs write them.
enum PrivateKeyInfo {
    private static let beginning = "-----BEGIN PRIVATE KEY-----"
    private static let end = "-----END PRIVATE KEY-----"

    /// The key of a PEM text (RFC 7468, section 10), which has nothing else.
    static func key(inPEM pem: Span<UInt8>) throws(CryptographyFailure) -> KeyHandle {
        try decoded(pem).withBytes { bytes throws(CryptographyFailure) in try key(der: bytes) }
    }

    static func key(der bytes: Span<UInt8>) throws(CryptographyFailure) -> KeyHandle {
        // The error would confuse this thread's next call, and may quote the input.
        defer { OpenSSL.forgetErrors() }
        return try bytes.withCBytes { start, count throws(CryptographyFailure) in
            var next: UnsafePointer<UInt8>? = start
            guard let info = d2i_PKCS8_PRIV_KEY_INFO(nil, &next, count) else {
                throw OpenSSL.lackOfMemory("d2i_PKCS8_PRIV_KEY_INFO")
                    ?? .malformedEncoding(offset: 0)
            }
            defer { PKCS8_PRIV_KEY_INFO_free(info) }
            guard next == start + count, let pointer = EVP_PKCS82PKEY(info) else {
                throw OpenSSL.lackOfMemory("EVP_PKCS82PKEY") ?? .malformedEncoding(offset: 0)
            }
            return KeyHandle(pointer)
        }
    }

    /// The decoded bytes between the two marker lines.
    private static func decoded(_ pem: Span<UInt8>) throws(CryptographyFailure) -> SecureBytes {
        let blanks = pem.indices.reversed().prefix { isLineBreak(pem[$0]) }.count
        let text = pem.extracting(droppingLast: blanks)
        let frame = beginning.utf8.count + end.utf8.count
        guard
            text.count > frame,
            text.extracting(first: beginning.utf8.count).array == Array(beginning.utf8),
            text.extracting(last: end.utf8.count).array == Array(end.utf8)
        else { throw .malformedEncoding(offset: 0) }
        let body = text.extracting(droppingFirst: beginning.utf8.count)
            .extracting(droppingLast: end.utf8.count)
        let places = body.indices.filter { !isLineBreak(body[$0]) }
        let characters = try SecureBytes(writing: places.count) { output in
            for (index, place) in places.enumerated() { output[index] = body[place] }
        }
        return try characters.withBytes { characters throws(CryptographyFailure) in
            try TextEncoding.base64.decode(secret: characters)
        }
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    }
}
