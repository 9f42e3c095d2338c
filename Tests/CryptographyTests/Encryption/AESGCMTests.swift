import Testing

@testable import Cryptography

@Suite struct `AES-256-GCM` {
    private let nonce = [UInt8](0..<12)
    private let associated: [UInt8] = [9, 8, 7]

    // Test cases 13 and 14 of the GCM specification: all inputs are zero.
    @Test(arguments: [
        (0, "530f8afbc74536b9a963b4f1c4cb738b"),
        (16, "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
    ])
    func `matches the published values`(count: Int, expected: String) throws {
        let plaintext = [UInt8](repeating: 0, count: count)
        let zeros = [UInt8](repeating: 0, count: 12)
        let key = try SecureBytes(count: 32) { _ in }
        let sealed = try AESGCM.seal(plaintext.span, key: key, nonce: zeros.span)
        #expect(sealed == (try [UInt8](hexadecimal: expected)))
    }

    @Test(arguments: [0, 1, 15, 16, 17, 5000])
    func `opens its own output`(count: Int) throws {
        let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let key = try SecureBytes.random(count: 32)
        let sealed = try AESGCM.seal(
            plaintext.span,
            key: key,
            nonce: nonce.span,
            authenticating: associated.span
        )
        #expect(sealed.count == count + AESGCM.tagByteCount)
        let opened = try AESGCM.open(
            sealed.span,
            key: key,
            nonce: nonce.span,
            authenticating: associated.span
        )
        #expect(opened.array == plaintext)
        let content = try AESGCM.openContent(
            sealed.span,
            key: key,
            nonce: nonce.span,
            authenticating: associated.span
        )
        #expect(content == plaintext)
        let prefixed = try AESGCM.seal(
            plaintext.span,
            key: key,
            nonce: nonce.span,
            authenticating: associated.span,
            after: nonce
        )
        #expect(prefixed == nonce + sealed)
    }

    @Test(arguments: [0, 20])
    func `rejects a change of any single bit`(count: Int) throws {
        let plaintext = [UInt8](repeating: 5, count: count)
        let key = try SecureBytes.random(count: 32)
        let sealed = try AESGCM.seal(
            plaintext.span,
            key: key,
            nonce: nonce.span,
            authenticating: associated.span
        )
        for bit in 0..<sealed.count * 8 {
            expectRefused(sealed.flipping(bit: bit), key, nonce, associated)
        }
        for bit in 0..<nonce.count * 8 {
            expectRefused(sealed, key, nonce.flipping(bit: bit), associated)
        }
        for bit in 0..<associated.count * 8 {
            expectRefused(sealed, key, nonce, associated.flipping(bit: bit))
        }
        for bit in 0..<key.count * 8 {
            let other = try SecureBytes(key.array.flipping(bit: bit))
            expectRefused(sealed, other, nonce, associated)
        }
        expectRefused(sealed, key, nonce, [])
        expectRefused(sealed + [0], key, nonce, associated)
        for shorter in 0..<sealed.count {
            expectRefused(Array(sealed.prefix(shorter)), key, nonce, associated)
        }
    }

    @Test(arguments: [0, 1, 16, 24, 31, 33, 64])
    func `rejects a key of another size`(count: Int) throws {
        let key = try SecureBytes.random(count: count)
        let sealed = [UInt8](repeating: 0, count: 16)
        #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try AESGCM.seal(Span(), key: key, nonce: nonce.span)
        }
        #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try AESGCM.open(sealed.span, key: key, nonce: nonce.span)
        }
    }

    @Test(arguments: [0, 1, 8, 11, 13, 16])
    func `rejects a nonce of another size`(count: Int) throws {
        let key = try SecureBytes.random(count: 32)
        let nonce = [UInt8](repeating: 0, count: count)
        let sealed = [UInt8](repeating: 0, count: 16)
        #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try AESGCM.seal(Span(), key: key, nonce: nonce.span)
        }
        #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try AESGCM.open(sealed.span, key: key, nonce: nonce.span)
        }
    }

    @Test func `rejects a plaintext larger than the secure heap`() throws {
        let key = try SecureBytes.random(count: 32)
        let sealed = [UInt8](repeating: 0, count: 5 << 20)
        #expect(throws: CryptographyFailure.secureHeap(.full)) {
            _ = try AESGCM.open(sealed.span, key: key, nonce: nonce.span)
        }
    }

    private func expectRefused(
        _ sealed: [UInt8],
        _ key: borrowing SecureBytes,
        _ nonce: [UInt8],
        _ associated: [UInt8]
    ) {
        #expect(throws: CryptographyFailure.authenticationFailed) {
            _ = try AESGCM.open(
                sealed.span,
                key: key,
                nonce: nonce.span,
                authenticating: associated.span
            )
        }
    }
}
