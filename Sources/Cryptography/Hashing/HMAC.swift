import COpenSSL
import Synchronization

/// A keyed HMAC context (RFC 2104), kept and used again: five times faster than a new one per code.
///
/// It is no `Sendable`: OpenSSL writes into the context at every call, so it belongs to one task at
/// a time. While it lives OpenSSL keeps a copy of the key in ordinary memory, not locked, and wipes
/// it when the context ends or takes another key: keep no context longer than it is of use.
package struct HMAC: ~Copyable {
    package let algorithm: HashAlgorithm
    private let context: OpaquePointer
    /// Whether no message followed the key yet: OpenSSL is ready for one then.
    ///
    /// Atomic only in order to change while the value is borrowed.
    private let isFresh = Atomic(true)

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
        isFresh.store(true, ordering: .relaxed)
    }

    /// The MAC of a whole message; the context is ready for the next one afterwards.
    @inline(__always)
    package func authenticate(_ message: Span<UInt8>) throws(CryptographyFailure) -> Digest {
        try authenticate { input throws(CryptographyFailure) in try input.append(message) }
    }

    /// What `Digest.truncated` gives for the MAC, which is not copied out of here for it.
    package func truncatedMAC(of message: Span<UInt8>) throws(CryptographyFailure) -> UInt32 {
        try authenticate(message).truncated
    }

    /// The MAC of a message that `feed` hands over in parts.
    @inline(__always)
    package func authenticate(
        _ feed: (Input) throws(CryptographyFailure) -> Void
    ) throws(CryptographyFailure) -> Digest {
        try Digest(byteCount: algorithm.byteCount) { output throws(CryptographyFailure) in
            if !isFresh.load(ordering: .relaxed) {
                try OpenSSL.check(EVP_MAC_init(context, nil, 0, nil), "EVP_MAC_init")
            }
            isFresh.store(false, ordering: .relaxed)
            try feed(Input(context: context))
            var written = 0
            try OpenSSL.check(
                EVP_MAC_final(context, output, &written, algorithm.byteCount),
                "EVP_MAC_final"
            )
        }
    }

    /// Where the parts of a message go.
    package struct Input {
        fileprivate let context: OpaquePointer

        @inline(__always)
        package func append(_ part: Span<UInt8>) throws(CryptographyFailure) {
            try part.withCBytes { start, count throws(CryptographyFailure) in
                try OpenSSL.check(EVP_MAC_update(context, start, count), "EVP_MAC_update")
            }
        }
    }

    /// Fetched once: a fetch costs more than a MAC.
    private static let mac = OpenSSL.fetch("EVP_MAC_fetch") { EVP_MAC_fetch(nil, "HMAC", nil) }
}
