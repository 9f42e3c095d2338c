import Testing

@testable import Cryptography

@Suite struct `P-256 private keys` {
    private static let order = "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
    private static let generatorX =
        "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    private static let generatorY =
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"

    // SEC 2, section 2.4.2: the generator, and its negative for the order minus one.
    @Test(arguments: [
        (String(repeating: "0", count: 63) + "1", generatorY),
        (
            String(order.dropLast(2)) + "50",
            "b01cbd1c01e58065711814b583f061e9d431cca994cea1313449bf97c840ae0a"
        ),
    ])
    func `have the known public points for the minimum and the maximum number`(
        scalar: String,
        y: String
    ) throws {
        let scalar = try SecureBytes(try [UInt8](hexadecimal: scalar))
        let key = try P256.PrivateKey(scalar: scalar)
        let point = try [UInt8](hexadecimal: "04" + Self.generatorX + y)
        #expect(key.publicKey.uncompressedPoint == point)
        #expect(try key.scalar().array == scalar.array)
    }

    @Test(arguments: [
        "", "01", String(repeating: "0", count: 64), order, String(order.dropLast(2)) + "52",
        String(repeating: "f", count: 64), String(repeating: "0", count: 61) + "1",
        String(repeating: "0", count: 65) + "1",
    ])
    func `are not created from any other number or length`(scalar: String) throws {
        let scalar = try SecureBytes(try [UInt8](hexadecimal: scalar))
        #expect(throws: CryptographyFailure.invalidCurveEncoding) {
            _ = try P256.PrivateKey(scalar: scalar)
        }
    }

    @Test func `are restored from their number`() throws {
        let message: [UInt8] = [1, 2, 3]
        for _ in 0..<20 {
            let key = try P256.PrivateKey()
            let stored = try P256.PrivateKey(scalar: try key.scalar())
            #expect(stored.publicKey == key.publicKey)
            #expect(try stored.scalar().array == (try key.scalar().array))
            let signature = try stored.signature(for: message.span)
            let isValid = try key.publicKey.isValid(signature, for: message.span)
            #expect(isValid)
        }
    }

    @Test func `are never equal when generated`() throws {
        let keys = try (0..<100).map { _ in try P256.PrivateKey().publicKey.uncompressedPoint }
        #expect(Set(keys).count == 100)
    }

    @Test func `agree on a secret only with each other`() throws {
        let (one, other, third) = (
            try P256.PrivateKey(), try P256.PrivateKey(), try P256.PrivateKey()
        )
        let secret = try one.sharedSecret(with: other.publicKey).array
        #expect(secret.count == 32)
        #expect(try other.sharedSecret(with: one.publicKey).array == secret)
        #expect(try other.sharedSecret(with: third.publicKey).array != secret)
    }

    @Test func `can be used by many tasks at once`() async throws {
        let key = try P256.PrivateKey()
        let other = try P256.PrivateKey().publicKey
        let agreed = try key.sharedSecret(with: other).array
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<32 {
                group.addTask {
                    let message = [UInt8(number)]
                    let signature = try key.signature(for: message.span)
                    let isAgreed = try key.sharedSecret(with: other).array == agreed
                    return try key.publicKey.isValid(signature, for: message.span) && isAgreed
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
