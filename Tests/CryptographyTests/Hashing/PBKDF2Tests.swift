import Testing

@testable import Cryptography

@Suite struct `Key derivation by PBKDF2` {
    // RFC 6070 for SHA-1; another implementation of RFC 8018 computed the others.
    @Test(arguments: [
        (HashAlgorithm.sha1, "password", "salt", 4096, "4b007901b765489abead49d926f721d065a429c1"),
        (.sha256, "", "", 1, "f7ce0b653d2d72a4108cf5abe912ffdd777616db"),
        (
            .sha512, "password", "salt", 2,
            """
            e1d9c16aa681708a45f5c7c4e215ceb66e011a2e9f0040713f18aefdb866d53c\
            f76cab2868a39b9f7840edce4fef5a82be67335c77a6068e04112754f27ccf4e
            """
        ),
    ])
    func `matches the known values`(
        algorithm: HashAlgorithm,
        password: String,
        salt: String,
        iterations: Int,
        expected: String
    ) throws {
        let expected = try [UInt8](hexadecimal: expected)
        let salt = Array(salt.utf8)
        let key = try PBKDF2.deriveKey(
            algorithm,
            from: try SecureBytes(Array(password.utf8)),
            salt: salt.span,
            iterations: iterations,
            byteCount: expected.count
        )
        #expect(key.array == expected)
    }

    @Test(arguments: [0, -1, .min, Int(Int32.max) + 1, .max])
    func `rejects an iteration count below one`(iterations: Int) throws {
        let password = try SecureBytes([1])
        #expect(throws: CryptographyFailure.invalidArgument) {
            _ = try PBKDF2.deriveKey(
                .sha256,
                from: password,
                salt: Span(),
                iterations: iterations,
                byteCount: 32
            )
        }
    }

    @Test(arguments: [
        (0, CryptographyFailure.invalidArgument), (-1, .invalidArgument), (.min, .invalidArgument),
        (.max, .secureHeap(.full)),
    ])
    func `rejects an invalid key length`(
        byteCount: Int,
        failure: CryptographyFailure
    ) throws {
        let password = try SecureBytes([1])
        #expect(throws: failure) {
            _ = try PBKDF2.deriveKey(
                .sha256,
                from: password,
                salt: Span(),
                iterations: 1,
                byteCount: byteCount
            )
        }
    }
}
