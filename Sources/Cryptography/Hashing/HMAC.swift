import COpenSSL
import Synchronization

/// A keyed HMAC context (RFC 2104).
///
/// Reuse is five times faster than one context per code. It is not `Sendable`: OpenSSL writes to
/// the context at every call, so one task at a time may use it. OpenSSL keeps a copy of the key in
/// ordinary, unlocked memory. It wipes the copy when the context ends or gets another key, so keep
/// no context longer than needed.
package struct HMAC: ~Copyable {
    package let algorithm: HashAlgorithm
    private let context: OpaquePointer
    /// Whether no data followed the key yet, so OpenSSL is ready for a message.
    ///
    /// Atomic only because it changes while the value is borrowed.
    private let isFresh = Atomic(true)

    package init(
        _ algorithm: HashAlgorithm,
        key: borrowing SecureBytes
    ) throws(CryptographyFailure) {
        self.algorithm = algorithm
        context = try key.withBytes { key throws(CryptographyFailure) in
            try Self.makeContext(algorithm, key)
        }
    }

    /// A part of a longer secret is the key.
    init(_ algorithm: HashAlgorithm, keyBytes key: Span<UInt8>) throws(CryptographyFailure) {
        self.algorithm = algorithm
        context = try Self.makeContext(algorithm, key)
    }

    private static func makeContext(
        _ algorithm: HashAlgorithm,
        _ key: Span<UInt8>
    ) throws(CryptographyFailure) -> OpaquePointer {
        let context = try OpenSSL.check(EVP_MAC_CTX_new(try Self.mac.get()), "EVP_MAC_CTX_new")
        let parameters = [OSSL_PARAM.text("digest", algorithm.openSSLName), .end]
        do throws(CryptographyFailure) {
            try key.withCBytes { start, count throws(CryptographyFailure) in
                try OpenSSL.check(EVP_MAC_init(context, start, count, parameters), "EVP_MAC_init")
            }
        } catch {
            EVP_MAC_CTX_free(context)
            throw error
        }
        return context
    }

    deinit {
        EVP_MAC_CTX_free(context)
    }

    /// Replaces the key of the context.
    package mutating func setKey(_ key: borrowing SecureBytes) throws(CryptographyFailure) {
        try OpenSSL.check(EVP_MAC_init(context, key.address, key.count, nil), "EVP_MAC_init")
        isFresh.store(true, ordering: .relaxed)
    }

    /// The MAC of a whole message; the context is then ready for the next message.
    @inline(__always)
    package func authenticate(_ message: Span<UInt8>) throws(CryptographyFailure) -> Digest {
        try authenticate { input throws(CryptographyFailure) in try input.append(message) }
    }

    /// `Digest.truncated` of the MAC, computed without a copy of the MAC.
    package func truncatedMAC(of message: Span<UInt8>) throws(CryptographyFailure) -> UInt32 {
        try authenticate(message).truncated
    }

    /// The MAC of a message that `feed` passes in parts.
    @inline(__always)
    package func authenticate(
        _ feed: (Input) throws(CryptographyFailure) -> Void
    ) throws(CryptographyFailure) -> Digest {
        try Digest(byteCount: algorithm.byteCount) { output throws(CryptographyFailure) in
            try authenticate(into: output, feed)
        }
    }

    /// Writes the MAC to `output`, which has room for it.
    @inline(__always)
    func authenticate(
        into output: UnsafeMutablePointer<UInt8>,
        _ feed: (Input) throws(CryptographyFailure) -> Void
    ) throws(CryptographyFailure) {
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

    /// Receives the parts of a message.
    package struct Input {
        fileprivate let context: OpaquePointer

        @inline(__always)
        package func append(_ part: Span<UInt8>) throws(CryptographyFailure) {
            try part.withCBytes { start, count throws(CryptographyFailure) in
                try OpenSSL.check(EVP_MAC_update(context, start, count), "EVP_MAC_update")
            }
        }
    }

    /// Fetched once, because a fetch costs more than a MAC.
    private static let mac = OpenSSL.fetch("EVP_MAC_fetch") { EVP_MAC_fetch(nil, "HMAC", nil) }
}
