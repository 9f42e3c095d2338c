import Testing

@testable import Cryptography

@Suite struct `Key derivation by HKDF` {
    // RFC 5869, appendix A.1.
    @Test func `matches the published values`() throws {
        let key = try SecureBytes([UInt8](repeating: 0x0b, count: 22))
        let salt = try [UInt8](hexadecimal: "000102030405060708090a0b0c")
        let info = try [UInt8](hexadecimal: "f0f1f2f3f4f5f6f7f8f9")
        let pseudorandomKey = try HKDF.extract(from: key, salt: salt.span)
        let expected = try [UInt8](
            hexadecimal: """
                3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf\
                34007208d5b887185865
                """
        )
        #expect(
            pseudorandomKey.array
                == (try [UInt8](
                    hexadecimal: "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5"
                ))
        )
        #expect(
            try HKDF.expand(from: pseudorandomKey, info: info.span, byteCount: 42).array
                == expected
        )
        #expect(
            try HKDF.derive(from: key, salt: salt.span, info: info.span, byteCount: 42).array
                == expected
        )
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `returns at most 255 hashes`(algorithm: HashAlgorithm) throws {
        let key = try SecureBytes.random(count: 32)
        let most = 255 * algorithm.byteCount
        let longest = try HKDF.derive(algorithm, from: key, info: Span(), byteCount: most).array
        #expect(longest.count == most)
        for count in [1, algorithm.byteCount, algorithm.byteCount + 1] {
            let shorter = try HKDF.derive(algorithm, from: key, info: Span(), byteCount: count)
            #expect(shorter.array == Array(longest.prefix(count)))
        }
        for count in [most + 1, 0, -1, .min, .max] {
            #expect(throws: CryptographyFailure.self) {
                _ = try HKDF.derive(algorithm, from: key, info: Span(), byteCount: count)
            }
            #expect(throws: CryptographyFailure.self) {
                _ = try HKDF.expand(algorithm, from: key, info: Span(), byteCount: count)
            }
        }
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `treats an empty salt as a hash of zeros`(algorithm: HashAlgorithm) throws {
        let key = try SecureBytes.random(count: 32)
        let zeros = [UInt8](repeating: 0, count: algorithm.byteCount)
        let extracted = try HKDF.extract(algorithm, from: key)
        #expect(try HKDF.extract(algorithm, from: key, salt: zeros.span).array == extracted.array)
        let mac = try key.withBytes { key in
            try HMAC(algorithm, key: try SecureBytes(zeros)).authenticate(key)
        }
        #expect(extracted.array == mac.array)
    }

    @Test(arguments: HashAlgorithm.allCases)
    func `accepts an empty key, as RFC 5869 does`(algorithm: HashAlgorithm) throws {
        let salt: [UInt8] = [1, 2, 3]
        let nothing = try SecureBytes([])
        let extracted = try HKDF.extract(algorithm, from: nothing, salt: salt.span)
        let mac = try HMAC(algorithm, key: try SecureBytes(salt)).authenticate(Span())
        #expect(extracted.array == mac.array)
        let firstBlock: [UInt8] = [0x69, 1]
        let derived = try HKDF.derive(
            algorithm,
            from: nothing,
            salt: salt.span,
            info: firstBlock.span.extracting(first: 1),
            byteCount: algorithm.byteCount
        )
        let expected = try HMAC(algorithm, key: extracted).authenticate(firstBlock.span)
        #expect(derived.array == expected.array)
    }

    @Test(arguments: [0, 1, 1024, 1025, 2049, 32 << 10])
    func `uses all bytes of a long info`(count: Int) throws {
        let key = try SecureBytes.random(count: 32)
        let info = [UInt8](repeating: 0x69, count: count)
        let firstBlock = info + [1]
        let expected = try HMAC(.sha256, key: key).authenticate(firstBlock.span)
        let derived = try HKDF.expand(from: key, info: info.span, byteCount: 32)
        #expect(derived.array == expected.array)
    }

    @Test(arguments: [(32 << 10) + 1, 1 << 20])
    func `rejects an info that OpenSSL would truncate`(count: Int) throws {
        let key = try SecureBytes.random(count: 32)
        let info = [UInt8](repeating: 0x69, count: count)
        #expect(throws: CryptographyFailure.self) {
            _ = try HKDF.derive(from: key, info: info.span, byteCount: 32)
        }
    }
}
