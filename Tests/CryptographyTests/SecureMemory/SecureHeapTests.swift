import TestSupport
import Testing

@testable import Cryptography

@Suite struct `The secure heap` {
    @Test func `is locked, excluded from core dumps and protected by guard pages`() throws {
        let secret = try SecureBytes.random(count: 32)
        let heap = try #require(try MemoryMapping.holding(secret.address))
        #expect(heap.flags.isSuperset(of: ["lo", "dd"]))
        let neighbours = try MemoryMapping.all().filter {
            $0.addresses.upperBound == heap.addresses.lowerBound
                || $0.addresses.lowerBound == heap.addresses.upperBound
        }
        #expect(neighbours.map(\.permissions) == ["---p", "---p"])
    }

    @Test func `differs from ordinary memory by these flags`() throws {
        let ordinary = [UInt8](repeating: 0, count: 32)
        let mapping = try ordinary.withUnsafeBytes { bytes in
            try MemoryMapping.holding(try #require(bytes.baseAddress))
        }
        #expect(try #require(mapping).flags.isDisjoint(with: ["lo", "dd"]))
    }

    // An exit test, so that no other test allocates or frees a block meanwhile.
    @Test func `counts allocated and freed bytes`() async {
        await #expect(processExitsWith: .success) {
            let before = SecureHeap.usedByteCount
            let pointer = try SecureHeap.allocate(byteCount: 33)
            #expect(SecureHeap.usedByteCount == before + 64)
            SecureHeap.free(pointer, byteCount: 33)
            #expect(SecureHeap.usedByteCount == before)
        }
    }

    @Test(arguments: [(4 << 20) + 1, 1 << 40, .max])
    func `rejects a secret larger than the heap`(count: Int) {
        #expect(throws: CryptographyFailure.secureHeap(.full)) {
            _ = try SecureBytes(count: count) { _ in }
        }
    }

    @Test func `rejects a secret while it is full, and then works again`() async {
        await #expect(processExitsWith: .success) {
            var secrets = fillSecureHeap()
            #expect(throws: CryptographyFailure.secureHeap(.full)) {
                _ = try SecureBytes.random(count: 32)
            }
            secrets.removeAll()
            #expect(throws: Never.self) { _ = try SecureBytes.random(count: 4096) }
        }
    }

    @Test func `makes OpenSSL reject a key while it is full`() async {
        await #expect(processExitsWith: .success) {
            let key = try SecureBytes.random(count: 32)
            let secrets = fillSecureHeap()
            #expect(throws: CryptographyFailure.self) { _ = try P256.PrivateKey() }
            #expect(throws: CryptographyFailure.self) { _ = try P256.PrivateKey(scalar: key) }
            #expect(secrets.count > 0)
        }
    }
}

private final class Box {
    let secret: SecureBytes
    init(_ secret: consuming SecureBytes) { self.secret = secret }
}

/// Allocates blocks until not even the smallest one is free.
private func fillSecureHeap() -> [Box] {
    var boxes: [Box] = []
    var count = 1 << 20
    while count >= 32 {
        do throws(CryptographyFailure) {
            boxes.append(Box(try SecureBytes(count: count) { _ in }))
        } catch {
            count /= 2
        }
    }
    return boxes
}
