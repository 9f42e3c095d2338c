import COpenSSL

/// Secret bytes: locked in memory, excluded from core dumps, wiped when their owner ends.
///
/// Move-only: each secret has one owner, and no code can copy, print, reflect, encode or log it by
/// mistake.
package struct SecureBytes: ~Copyable, Sendable {
    // Written only during creation, by an initializer or by `Argon2id`; then every thread may read.
    private nonisolated(unsafe) let start: UnsafeMutablePointer<UInt8>
    package let count: Int
    /// Not less than `count`: the size of the block.
    private let byteCount: Int

    private init(_ start: UnsafeMutablePointer<UInt8>, count: Int, of byteCount: Int) {
        self.start = start
        self.count = count
        self.byteCount = byteCount
    }

    /// Allocates `count` zero bytes and lets `fill` write them.
    init(
        count: Int,
        filledBy fill: (UnsafeMutablePointer<UInt8>) throws(CryptographyFailure) -> Void
    ) throws(CryptographyFailure) {
        guard count >= 0 else { throw .invalidArgument }
        let start = try SecureHeap.allocate(byteCount: count)
        do throws(CryptographyFailure) {
            try fill(start)
        } catch {
            SecureHeap.free(start, byteCount: count)
            throw error
        }
        self.init(start, count: count, of: count)
    }

    package init(copying bytes: Span<UInt8>) throws(CryptographyFailure) {
        try self.init(count: bytes.count) { start in
            bytes.withCBytes { source, count in start.update(from: source, count: count) }
        }
    }

    /// Lets `write` set each of `count` bytes in place.
    package init(
        writing count: Int,
        by write: (inout MutableSpan<UInt8>) -> Void
    ) throws(CryptographyFailure) {
        try self.init(count: count) { start in
            var bytes = MutableSpan(_unsafeStart: start, count: count)
            write(&bytes)
        }
    }

    package init(
        joining first: Span<UInt8>,
        _ second: Span<UInt8>
    ) throws(CryptographyFailure) {
        try self.init(count: first.count + second.count) { start in
            first.withCBytes { source, count in start.update(from: source, count: count) }
            second.withCBytes { source, count in
                (start + first.count).update(from: source, count: count)
            }
        }
    }

    /// Takes `count` bytes from OpenSSL's generator for secrets, which the kernel seeds.
    package static func random(count: Int) throws(CryptographyFailure) -> SecureBytes {
        try SecureBytes(count: count) { start throws(CryptographyFailure) in
            try OpenSSL.check(RAND_priv_bytes(start, try OpenSSL.length(count)), "RAND_priv_bytes")
        }
    }

    deinit {
        SecureHeap.free(start, byteCount: byteCount)
    }

    package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeBufferPointer(start: start, count: count).span)
    }

    /// Keeps only the first `newCount` bytes; the others are wiped at once.
    consuming func prefix(_ newCount: Int) -> SecureBytes {
        precondition((0...count).contains(newCount), "a prefix is not longer than the secret")
        OPENSSL_cleanse(start + newCount, count - newCount)
        let prefix = SecureBytes(start, count: newCount, of: byteCount)
        discard self
        return prefix
    }

    borrowing func reversed() throws(CryptographyFailure) -> SecureBytes {
        let source = address
        return try SecureBytes(count: count) { output in
            for index in 0..<count { output[index] = source[count - 1 - index] }
        }
    }

    /// For C calls; valid while the caller borrows the secret.
    var address: UnsafePointer<UInt8> { UnsafePointer(start) }

    /// For `Argon2id`, which fills a new secret on another thread before any other code has it.
    var mutableAddress: UnsafeMutablePointer<UInt8> { start }
}

/// Compares in a time that depends only on the lengths.
package func equalInConstantTime(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return left.withCBytes { leftStart, count in
        right.withCBytes { rightStart, _ in CRYPTO_memcmp(leftStart, rightStart, count) == 0 }
    }
}

@inline(__always)
package func equalInConstantTime(_ left: UInt32, _ right: UInt32) -> Bool {
    withUnsafeBytes(of: left) { left in
        withUnsafeBytes(of: right) { right in
            CRYPTO_memcmp(left.baseAddress, right.baseAddress, left.count) == 0
        }
    }
}

extension SecureBytes {
    package borrowing func equalsInConstantTime(_ other: borrowing SecureBytes) -> Bool {
        withBytes { bytes in other.withBytes { equalInConstantTime(bytes, $0) } }
    }
}
