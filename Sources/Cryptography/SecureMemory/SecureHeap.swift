import COpenSSL
import Glibc

/// Memory that is locked, excluded from core dumps, and protected by guard pages.
///
/// It is created once per process, for the first secret. If the kernel refuses the lock, creating a
/// secret fails: there is no unlocked fallback.
package enum SecureHeap {
    package enum Refusal: Error, Equatable, Sendable {
        /// The lock limit (`ulimit -l`) leaves less than `minimumKiB` for the heap.
        case lockLimitTooLow(minimumKiB: Int)
        /// The kernel refused to lock or to protect the memory.
        case lockRefused
        /// All blocks are in use.
        case full
    }

    /// The bytes that secrets use now.
    package static var usedByteCount: Int {
        // OpenSSL reads a lock that exists only after the heap was created.
        if case .success = state { CRYPTO_secure_used() } else { 0 }
    }

    /// Creates the heap at its first use, or throws the reason why this is impossible.
    ///
    /// Without the heap, OpenSSL would allocate its own secrets in ordinary memory.
    static func require() throws(CryptographyFailure) {
        if case .failure(let refusal) = state { throw .secureHeap(refusal) }
    }

    /// Allocates `byteCount` zero bytes.
    static func allocate(
        byteCount: Int
    ) throws(CryptographyFailure) -> UnsafeMutablePointer<UInt8> {
        try require()
        // OpenSSL cannot allocate an empty block.
        guard let pointer = CRYPTO_secure_zalloc(max(byteCount, 1), #file, #line) else {
            OpenSSL.forgetErrors()
            throw .secureHeap(.full)
        }
        return pointer.assumingMemoryBound(to: UInt8.self)
    }

    /// Wipes and frees a block of `allocate`.
    static func free(_ pointer: UnsafeMutablePointer<UInt8>, byteCount: Int) {
        CRYPTO_secure_clear_free(pointer, max(byteCount, 1), #file, #line)
    }

    private static let maximumByteCount = 4 << 20
    private static let minimumByteCount = 32 << 10
    /// The minimum block size; a 32-byte key fills one block.
    private static let blockByteCount = 32

    private static let state: Result<Void, Refusal> = make()

    private static func make() -> Result<Void, Refusal> {
        if CRYPTO_secure_malloc_initialized() == 1 {
            // Other code in this process created the heap first; its lock cannot be verified.
            return .failure(.lockRefused)
        }
        guard let byteCount = affordableByteCount() else {
            return .failure(.lockLimitTooLow(minimumKiB: minimumByteCount >> 10))
        }
        // 2 means: created, but not locked or not protected.
        guard CRYPTO_secure_malloc_init(byteCount, blockByteCount) == 1 else {
            CRYPTO_secure_malloc_done()
            return .failure(.lockRefused)
        }
        return .success(())
    }

    /// The largest power of two within the limit: OpenSSL accepts only powers of two.
    private static func affordableByteCount() -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else {
            return nil
        }
        var byteCount = maximumByteCount
        // Half of the limit is left for other code in the process.
        while byteCount > limit.rlim_cur / 2 { byteCount /= 2 }
        return byteCount >= minimumByteCount ? byteCount : nil
    }
}
