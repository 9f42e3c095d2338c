import COpenSSL

/// Secret bytes: locked in memory, kept out of core dumps, wiped when their owner ends.
///
/// Move-only, so that each secret has one owner and no forgotten copies. What cannot be copied
/// cannot be printed, reflected, encoded or put into a log either.
package struct SecureBytes: ~Copyable, Sendable {
    // Written while it is made, by an initialiser or by `Argon2id`; then every thread may read.
    private nonisolated(unsafe) let start: UnsafeMutablePointer<UInt8>
    package let count: Int

    /// Makes room for `count` bytes, zero at first, and lets `fill` write them.
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
        self.start = start
        self.count = count
    }

    package init(copying bytes: Span<UInt8>) throws(CryptographyFailure) {
        try self.init(count: bytes.count) { start in
            bytes.withCBytes { source, count in start.update(from: source, count: count) }
        }
    }

    /// Lets `write` set each of `count` bytes where they stay.
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
        SecureHeap.free(start, byteCount: count)
    }

    package borrowing func withBytes<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeBufferPointer(start: start, count: count).span)
    }

    /// The first `newCount` bytes alone; what lay behind them is wiped with the rest.
    consuming func prefix(_ newCount: Int) throws(CryptographyFailure) -> SecureBytes {
        try withBytes { bytes throws(CryptographyFailure) in
            try SecureBytes(copying: bytes.extracting(first: newCount))
        }
    }

    borrowing func reversed() throws(CryptographyFailure) -> SecureBytes {
        let source = address
        return try SecureBytes(count: count) { output in
            for index in 0..<count { output[index] = source[count - 1 - index] }
        }
    }

    /// For C calls; valid for as long as the caller borrows the secret.
    var address: UnsafePointer<UInt8> { UnsafePointer(start) }

    /// For `Argon2id`, which fills a new secret from another thread before anybody else has it.
    var mutableAddress: UnsafeMutablePointer<UInt8> { start }
}

/// Compares in a time that depends on the lengths alone.
package func equalInConstantTime(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    return left.withCBytes { leftStart, count in
        right.withCBytes { rightStart, _ in CRYPTO_memcmp(leftStart, rightStart, count) == 0 }
    }
}

/// Compares two numbers without a branch on them.
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
