import TestSupport
import Testing

@testable import Cryptography

@Suite struct `Content in ordinary memory` {
    @Test(arguments: [0, 1, 15, 16, 17, 5000])
    func `is opened by AES-128-GCM, unless any bit differs`(count: Int) throws {
        let key = try SecureBytes.random(count: 16)
        let (nonce, associated): ([UInt8], [UInt8]) = ([UInt8](0..<12), [9, 8, 7])
        let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = try AESGCM.seal(
            plaintext.span,
            keyOf128Bits: key,
            nonce: nonce.span,
            authenticating: associated.span
        )
        func opened(_ sealed: [UInt8]) throws -> [UInt8] {
            try AESGCM.openContent(
                sealed.span,
                keyOf128Bits: key,
                nonce: nonce.span,
                authenticating: associated.span
            )
        }
        #expect(try opened(sealed) == plaintext)
        for other in sealed.withOneBitFlipped.prefix(400) + [Array(sealed.dropFirst()), []] {
            #expect(throws: CryptographyFailure.authenticationFailed) { try opened(other) }
        }
    }

    @Test func `is larger than the memory for secrets`() throws {
        let key = try SecureBytes.random(count: 16)
        let (nonce, plaintext) = ([UInt8](0..<12), [UInt8](repeating: 5, count: 5 << 20))
        let sealed = try AESGCM.seal(plaintext.span, keyOf128Bits: key, nonce: nonce.span)
        let opened = try AESGCM.openContent(
            sealed.span,
            keyOf128Bits: key,
            nonce: nonce.span,
            authenticating: Span()
        )
        #expect(opened == plaintext)
    }

    @Test func `has the count of bytes that were written`() throws {
        for written in 0...3 {
            let content = try [UInt8](capacity: 3) { start in
                start.update(repeating: 7, count: written)
                return written
            }
            #expect(content == [UInt8](repeating: 7, count: written))
        }
    }
}

// An exit test, because another test could take the freed memory.
@Suite(.needsPlainMemory) struct `Content that is not authentic` {
    @Test func `is wiped`() async {
        await #expect(processExitsWith: .success) {
            var address: UnsafePointer<UInt8>?
            #expect(throws: CryptographyFailure.authenticationFailed) {
                _ = try [UInt8](capacity: 4096) { start throws(CryptographyFailure) in
                    start.update(repeating: 0xa5, count: 4096)
                    address = UnsafePointer(start)
                    throw .authenticationFailed
                }
            }
            // Too short for the allocator to return it to the kernel.
            let freed = UnsafeBufferPointer(start: try #require(address), count: 4096)
            // Other code may have taken a part of it, with any bytes.
            #expect(freed.count { $0 == 0xa5 } < 256)
        }
    }
}
