import Testing

@testable import Cryptography

@Suite struct `Message authentication by HMAC` {
    @Test(arguments: [
        (HashAlgorithm.sha1, "fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"),
        (.sha256, "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
        (
            .sha512,
            """
            b936cee86c9f87aa5d3c6f2e84cb5a4239a5fe50480a6ec66b70ab5b1f4ac673\
            0c6c515421b327ec1d69402e53dfb49ad7381eb067b338fd7b0cb22247225d47
            """
        ),
    ])
    func `accepts an empty key and an empty message`(
        algorithm: HashAlgorithm,
        expected: String
    ) throws {
        let mac = try HMAC(algorithm, key: try SecureBytes([]))
        #expect(try mac.authenticate(Span()).array == (try [UInt8](hexadecimal: expected)))
    }

    // RFC 4231, case 2.
    @Test func `matches the published value`() throws {
        let key = try SecureBytes(Array("Jefe".utf8))
        let message = Array("what do ya want for nothing?".utf8)
        let expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        let mac = try HMAC(.sha256, key: key).authenticate(message.span)
        #expect(mac.array == (try [UInt8](hexadecimal: expected)))
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `computes the same MAC with a kept context as with a new one`(algorithm: HashAlgorithm)
        throws
    {
        let key = try SecureBytes.random(count: algorithm.byteCount)
        let kept = try HMAC(algorithm, key: key)
        for count in 0..<300 {
            let message = [UInt8](repeating: UInt8(truncatingIfNeeded: count), count: count)
            let fresh = try HMAC(algorithm, key: key).authenticate(message.span)
            #expect(try kept.authenticate(message.span) == fresh)
            #expect(try kept.authenticate(message.span) == fresh, "a second time")
        }
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `computes the same MAC with a replaced key as with a new context`(algorithm: HashAlgorithm)
        throws
    {
        let message = Array("the same message".utf8)
        var kept = try HMAC(algorithm, key: try .random(count: 20))
        // Shorter and longer than a block, in both directions, and empty.
        for count in [32, 200, 0, 64, 1, 128, 129, 20] {
            let key = try SecureBytes.random(count: count)
            try kept.setKey(key)
            let fresh = try HMAC(algorithm, key: key).authenticate(message.span)
            #expect(try kept.authenticate(message.span) == fresh)
            #expect(try kept.authenticate(message.span) == fresh, "a second time")
        }
    }

    @Test func `differs for another key, message or hash function`() throws {
        let message: [UInt8] = [1]
        let key = try SecureBytes([1, 2, 3])
        let mac = try HMAC(.sha256, key: key).authenticate(message.span)
        #expect(try HMAC(.sha256, key: try SecureBytes([1, 2])).authenticate(message.span) != mac)
        #expect(try HMAC(.sha256, key: key).authenticate(Span()) != mac)
        #expect(try HMAC(.sha1, key: key).authenticate(message.span) != mac)
    }
}
