import COpenSSL
import Glibc

/// The part of memory that is locked, kept out of core dumps, and fenced by guard pages.
///
/// It is made once in a process, at the first secret. Where the kernel refuses to lock it, every
/// secret is refused with it: there is no unlocked second choice.
package enum SecureHeap {
    package enum Refusal: Error, Equatable, Sendable {
        /// The lock limit (`ulimit -l`) leaves less than `minimumKiB` for the heap.
        case lockLimitTooLow(minimumKiB: Int)
        /// The kernel refused to lock or to fence the memory.
        case lockRefused
        /// Every block is in use.
        case full
    }

    /// Bytes in use by secrets now.
    package static var usedByteCount: Int {
        // OpenSSL reads a lock that exists only once the heap does.
        if case .success = state { CRYPTO_secure_used() } else { 0 }
    }

    /// Makes the heap if this is its first use, and says why where it cannot be made.
    ///
    /// Secrets that OpenSSL allocates itself would be put elsewhere without it.
    static func require() throws(CryptographyFailure) {
        if case .failure(let refusal) = state { throw .secureHeap(refusal) }
    }

    /// Takes `byteCount` zeroed bytes.
    static func allocate(
        byteCount: Int
    ) throws(CryptographyFailure) -> UnsafeMutablePointer<UInt8> {
        try require()
        // OpenSSL hands out no empty block.
        guard let pointer = CRYPTO_secure_zalloc(max(byteCount, 1), #file, #line) else {
            OpenSSL.forgetErrors()
            throw .secureHeap(.full)
        }
        return pointer.assumingMemoryBound(to: UInt8.self)
    }

    /// Wipes and gives back what `allocate` gave.
    static func free(_ pointer: UnsafeMutablePointer<UInt8>, byteCount: Int) {
        CRYPTO_secure_clear_free(pointer, max(byteCount, 1), #file, #line)
    }

    private static let maximumByteCount = 4 << 20
    private static let minimumByteCount = 32 << 10
    /// The smallest block; a key of 32 bytes fills one.
    private static let blockByteCount = 32

    private static let state: Result<Void, Refusal> = make()

    private static func make() -> Result<Void, Refusal> {
        if CRYPTO_secure_malloc_initialized() == 1 {
            // Somebody in this process made one before us and cannot tell us whether it is locked.
            return .failure(.lockRefused)
        }
        guard let byteCount = affordableByteCount() else {
            return .failure(.lockLimitTooLow(minimumKiB: minimumByteCount >> 10))
        }
        // 2 means: made, but not locked or not fenced.
        guard CRYPTO_secure_malloc_init(byteCount, blockByteCount) == 1 else {
            CRYPTO_secure_malloc_done()
            return .failure(.lockRefused)
        }
        return .success(())
    }

    /// The largest power of two within the limit: OpenSSL takes only powers of two.
    private static func affordableByteCount() -> Int? {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0 else {
            return nil
        }
        var byteCount = maximumByteCount
        // Half of the limit is left to others in the process.
        while byteCount > limit.rlim_cur / 2 { byteCount /= 2 }
        return byteCount >= minimumByteCount ? byteCount : nil
    }
}
