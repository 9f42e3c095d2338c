import COpenSSL

/// A keyed HMAC context (RFC 2104), kept and used again: five times faster than a new one per code.
///
/// It is no `Sendable`: OpenSSL writes into the context at every call, so it belongs to one task at
/// a time. While it lives OpenSSL keeps a copy of the key in ordinary memory, not locked, and wipes
/// it when the context ends or takes another key: keep no context longer than it is of use.
package struct HMAC: ~Copyable {
    package let algorithm: HashAlgorithm
    private let context: OpaquePointer

    package init(
        _ algorithm: HashAlgorithm,
        key: borrowing SecureBytes
    ) throws(CryptographyFailure) {
        let context = try OpenSSL.check(EVP_MAC_CTX_new(try Self.mac.get()), "EVP_MAC_CTX_new")
        let parameters = [OSSL_PARAM.text("digest", algorithm.openSSLName), .end]
        do throws(CryptographyFailure) {
            try OpenSSL.check(
                EVP_MAC_init(context, key.address, key.count, parameters),
                "EVP_MAC_init"
            )
        } catch {
            EVP_MAC_CTX_free(context)
            throw error
        }
        self.algorithm = algorithm
        self.context = context
    }

    deinit {
        EVP_MAC_CTX_free(context)
    }

    /// Puts another key into the same context.
    package mutating func setKey(_ key: borrowing SecureBytes) throws(CryptographyFailure) {
        try OpenSSL.check(EVP_MAC_init(context, key.address, key.count, nil), "EVP_MAC_init")
    }

    /// The MAC of the whole message; the context is ready for the next one afterwards.
    @inline(__always)
    package func authenticate(_ message: Span<UInt8>) throws(CryptographyFailure) -> Digest {
        try Digest(byteCount: algorithm.byteCount) { output throws(CryptographyFailure) in
            try OpenSSL.check(EVP_MAC_init(context, nil, 0, nil), "EVP_MAC_init")
            try message.withCBytes { start, count throws(CryptographyFailure) in
                try OpenSSL.check(EVP_MAC_update(context, start, count), "EVP_MAC_update")
            }
            var written = 0
            try OpenSSL.check(
                EVP_MAC_final(context, output, &written, algorithm.byteCount),
                "EVP_MAC_final"
            )
        }
    }

    /// Fetched once: a fetch costs more than a MAC.
    private static let mac = OpenSSL.fetch("EVP_MAC_fetch") { EVP_MAC_fetch(nil, "HMAC", nil) }
}
