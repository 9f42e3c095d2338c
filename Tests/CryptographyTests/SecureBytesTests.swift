import Testing

@testable import Cryptography

@Suite struct `Secure heap` {
    @Test func `an allocation is counted and given back`() throws {
        let before = SecureHeap.usedByteCount
        let pointer = try SecureHeap.allocate(byteCount: 32)
        #expect(SecureHeap.usedByteCount >= before + 32)
        SecureHeap.free(pointer, byteCount: 32)
    }
}
