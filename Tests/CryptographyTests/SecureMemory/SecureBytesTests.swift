import TestSupport
import Testing

@testable import Cryptography

@Suite struct `Secret bytes` {
    @Test(arguments: [0, 1, 31, 32, 33, 4096])
    func `contain the given bytes`(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let secret = try SecureBytes(bytes)
        #expect(secret.count == count)
        #expect(secret.array == bytes)
        #expect(try secret.reversed().array == bytes.reversed())
        #expect(secret.prefix(count / 2).array == Array(bytes.prefix(count / 2)))
    }

    @Test(arguments: [0, 1, 32]) func `concatenate in order`(count: Int) throws {
        let (first, second) = (Array<UInt8>(0..<7), [UInt8](repeating: 9, count: count))
        #expect(try SecureBytes(joining: first.span, second.span).array == first + second)
        #expect(try SecureBytes(joining: second.span, first.span).array == second + first)
    }

    @Test func `are written in place`() throws {
        let secret = try SecureBytes(writing: 3) { bytes in bytes[1] = 7 }
        #expect(secret.array == [0, 7, 0])
    }

    @Test func `are zero unless written`() throws {
        #expect(try SecureBytes(count: 64) { _ in }.array == [UInt8](repeating: 0, count: 64))
    }

    @Test func `are random and never equal`() throws {
        let secrets = Set(try (0..<1000).map { _ in try SecureBytes.random(count: 32).array })
        #expect(secrets.count == 1000)
    }

    @Test(arguments: [-1, .min]) func `cannot have a negative count`(count: Int) {
        #expect(throws: CryptographyFailure.self) { _ = try SecureBytes.random(count: count) }
    }
}

// Exit tests, because another test could take a freed block.
@Suite struct `SEC-26: secret bytes are wiped` {
    @Test func `when their owner ends`() async {
        await #expect(processExitsWith: .success) {
            func make() throws -> UnsafePointer<UInt8> {
                let secret = try SecureBytes([UInt8](repeating: 0xA5, count: 256))
                return secret.address
            }
            try expectWiped(try make())
        }
    }

    @Test func `when all but a prefix is dropped`() async {
        await #expect(processExitsWith: .success) {
            func keepPrefix() throws -> UnsafePointer<UInt8> {
                let secret = try SecureBytes([UInt8](repeating: 0xA5, count: 256))
                let address = secret.address
                let prefix = secret.prefix(1)
                #expect(prefix.array == [0xA5])
                let others = UnsafeBufferPointer(start: address, count: 256).dropFirst()
                #expect(others.allSatisfy { $0 == 0 }, "the prefix is still in use")
                return address
            }
            try expectWiped(try keepPrefix())
        }
    }

    @Test func `when their creation fails in the middle`() async {
        await #expect(processExitsWith: .success) {
            var address: UnsafePointer<UInt8>?
            #expect(throws: CryptographyFailure.invalidArgument) {
                _ = try SecureBytes(count: 256) { start throws(CryptographyFailure) in
                    start.update(repeating: 0xA5, count: 256)
                    address = UnsafePointer(start)
                    throw .invalidArgument
                }
            }
            try expectWiped(try #require(address))
        }
    }
}

/// Reads a freed block of 256 bytes; the heap keeps its list of free blocks in the first 16.
private func expectWiped(_ address: UnsafePointer<UInt8>) throws {
    let heap = try #require(try MemoryMapping.holding(address))
    #expect(heap.flags.contains("lo"), "the block is still mapped, so it can be looked at")
    #expect(UnsafeBufferPointer(start: address, count: 256).dropFirst(16).allSatisfy { $0 == 0 })
}
