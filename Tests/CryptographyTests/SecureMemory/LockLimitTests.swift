import COpenSSL
import Glibc
import TestSupport
import Testing

@testable import Cryptography

// Exit tests, because each process creates the heap once.
@Suite struct `If memory cannot be locked` {
    @Test(arguments: [0, 4 << 10, (64 << 10) - 1])
    func `a limit below twice the minimum heap prevents every secret`(limit: Int) async {
        await #expect(processExitsWith: .success) { [limit] in
            lowerLockLimit(to: limit)
            for _ in 1...2 {
                #expect(throws: CryptographyFailure.secureHeap(.lockLimitTooLow(minimumKiB: 32))) {
                    _ = try SecureBytes.random(count: 32)
                }
            }
            #expect(SecureHeap.usedByteCount == 0)
        }
    }

    @Test func `no private key is generated`() async {
        await #expect(processExitsWith: .success) {
            lowerLockLimit(to: 0)
            #expect(throws: CryptographyFailure.secureHeap(.lockLimitTooLow(minimumKiB: 32))) {
                _ = try P256.PrivateKey()
            }
        }
    }

    @Test(arguments: [64 << 10, (128 << 10) - 1, 1 << 20])
    func `a limit of at least twice the minimum heap is enough`(limit: Int) async {
        await #expect(processExitsWith: .success) { [limit] in
            lowerLockLimit(to: limit)
            let secret = try SecureBytes.random(count: 32)
            let heap = try #require(try MemoryMapping.holding(secret.address))
            #expect(heap.flags.contains("lo"))
            #expect(heap.addresses.count <= limit / 2)
        }
    }

    @Test func `a kernel that refuses the lock prevents every secret`() async {
        await #expect(processExitsWith: .success) {
            lowerLockLimit(to: 64 << 10)
            // Not by mlock, which sanitizers disable.
            let kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED
            let others = mmap(nil, 40 << 10, PROT_READ | PROT_WRITE, kind, -1, 0)
            try #require(others != MAP_FAILED)
            for _ in 1...2 {
                #expect(throws: CryptographyFailure.secureHeap(.lockRefused)) {
                    _ = try SecureBytes.random(count: 32)
                }
            }
            #expect(SecureHeap.usedByteCount == 0)
        }
    }

    @Test func `a heap of other code is not trusted`() async {
        await #expect(processExitsWith: .success) {
            try #require(CRYPTO_secure_malloc_init(32 << 10, 32) == 1)
            #expect(throws: CryptographyFailure.secureHeap(.lockRefused)) {
                _ = try SecureBytes.random(count: 32)
            }
        }
    }
}

/// Lowers the limit, and drops root, which ignores limits.
private func lowerLockLimit(to byteCount: Int) {
    var limit = rlimit(rlim_cur: rlim_t(byteCount), rlim_max: rlim_t(byteCount))
    setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
    let nobody: uid_t = 65_534
    // Without root, there is nothing to drop.
    if geteuid() == 0 { #expect(setuid(nobody) == 0) }
}
