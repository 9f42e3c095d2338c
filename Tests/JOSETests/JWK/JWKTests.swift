import Cryptography
import JOSE
import StrictJSON
import TestSupport
import Testing

@Suite struct `A JSON web key` {
    private let keys: TokenKeys
    private let encryption = JWKUse.encryption(.ecdhES)
    private let signature = JWKUse.signature(.es256)

    init() throws {
        keys = try TokenKeys.shared.get()
    }

    @Test func `is read as it was written`() throws {
        let point = try P256.PublicKey(jwk: keys.elliptic.publicKey.jwk, for: signature)
        #expect(point == keys.elliptic.publicKey)
        let rsa = try RSA.PublicKey(jwk: keys.rsaPublic.jwk, for: .signature(.ps256))
        #expect(rsa.modulus == keys.rsaPublic.modulus)
        #expect(rsa.exponent == keys.rsaPublic.exponent)
        let text = try keys.elliptic.secretJWK()
        let key = try P256.PrivateKey(
            jwk: JSONValue(reading: text, limits: .message),
            for: encryption
        )
        #expect(key.publicKey == keys.elliptic.publicKey)
        for count in [0, 1, 16, 32, 33] {
            let secret = try SecureBytes.random(count: count)
            let value = try JSONValue(reading: secret.secretJWK(), limits: .message)
            let read = try SecureBytes(jwk: value, for: .encryption(.direct))
            #expect(read.array == secret.array)
        }
    }

    @Test func `is written without further members`() throws {
        guard case .object(let members) = keys.elliptic.publicKey.jwk else { throw NotAnObject() }
        #expect(members.map(\.name) == ["kty", "crv", "x", "y"])
    }

    private struct NotAnObject: Error {}

    /// A member more in the public key.
    private func key(with member: String) throws -> JSONValue {
        let text = try String(decoding: keys.elliptic.publicKey.jwk.written(), as: UTF8.self)
        return try json(text.dropLast() + "," + member + "}")
    }

    @Test(arguments: [
        #""use":"sig""#, #""alg":"ES256""#, #""key_ops":["verify"]"#, #""kid":"a""#, #""x5c":[]"#,
        #""key_ops":["sign","verify"],"use":"sig","alg":"ES256","ext":true"#,
    ])
    func `is read for the use that it names`(member: String) throws {
        #expect(throws: Never.self) {
            try P256.PublicKey(jwk: key(with: member), for: signature)
        }
    }

    @Test(arguments: ["dir", "A128GCM", "A128CBC-HS256", "HS256", "ECDH-ES", "A128KW"])
    func `is read as a direct key if it names a cipher`(algorithm: String) throws {
        func isRead(_ count: Int) throws -> Bool {
            let key = TextEncoding.base64URL.encode([UInt8](repeating: 1, count: count).span)
            let value = try json(#"{"kty":"oct","k":"\#(key)","alg":"\#(algorithm)"}"#)
            do throws(JOSEFailure) {
                return try SecureBytes(jwk: value, for: .encryption(.direct)).count == count
            } catch {
                return false
            }
        }
        let lengths = ["dir": [1, 16, 32], "A128GCM": [16], "A128CBC-HS256": [32]]
        for count in [1, 16, 32] {
            #expect(try isRead(count) == lengths[algorithm]?.contains(count) ?? false, "\(count)")
        }
    }

    @Test(arguments: [
        #""use":"enc""#, #""use":1"#, #""use":null"#, #""use":"""#, #""alg":"ECDH-ES""#,
        #""alg":"ES384""#, #""alg":null"#, #""alg":["ES256"]"#, #""key_ops":["deriveKey"]"#,
        #""key_ops":["sign"]"#, #""key_ops":[]"#, #""key_ops":"verify""#, #""key_ops":[1]"#,
        #""key_ops":null"#,
        #""d":"AA""#, #""d":null"#,
    ])
    func `is refused for another use, and as a public key with a private part`(
        member: String
    ) throws {
        #expect(throws: JOSEFailure.refused) {
            try P256.PublicKey(jwk: key(with: member), for: signature)
        }
    }

    @Test func `is refused if it is another type`() throws {
        for text in ["1", "null", "[]", "{}", #""EC""#] {
            let value = try json(text)
            #expect(throws: JOSEFailure.refused) {
                try P256.PublicKey(jwk: value, for: signature)
            }
            #expect(throws: JOSEFailure.refused) {
                try RSA.PublicKey(jwk: value, for: .signature(.ps256))
            }
            #expect(throws: JOSEFailure.refused) {
                _ = try SecureBytes(jwk: value, for: .encryption(.direct))
            }
        }
        #expect(throws: JOSEFailure.refused) {
            try P256.PublicKey(jwk: keys.rsaPublic.jwk, for: signature)
        }
        #expect(throws: JOSEFailure.refused) {
            try RSA.PublicKey(jwk: keys.elliptic.publicKey.jwk, for: .signature(.ps256))
        }
    }

    @Test func `is refused as a private key with a number of another point or range`() throws {
        let text = try String(decoding: keys.elliptic.secretJWK(), as: UTF8.self)
        let member = #""d":""#
        let start = try #require(text.ranges(of: member).first?.upperBound)
        let scalar = try keys.elliptic.scalar().array
        let order = try TextEncoding.hexadecimal.decode(
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"
        )
        for number in [
            try keys.other.scalar().array, [], [0] + scalar, Array(scalar.dropLast()), order,
            [UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32),
        ] {
            let encoded = TextEncoding.base64URL.encode(number.span)
            let changed = try json(text[..<start] + encoded + #""}"#)
            #expect(throws: JOSEFailure.refused) {
                try P256.PrivateKey(jwk: changed, for: encryption)
            }
        }
        #expect(throws: JOSEFailure.refused) {
            try P256.PrivateKey(jwk: keys.elliptic.publicKey.jwk, for: encryption)
        }
    }

    @Test func `is refused as an RSA key of another size or spelling`() throws {
        let modulus = keys.rsaPublic.modulus
        for (n, e) in [
            (modulus, [1]), (modulus, [3]), (modulus, [0, 1, 0, 1]), (modulus, []),
            ([0] + modulus, [1, 0, 1]), (Array(modulus.dropFirst(128)), [1, 0, 1]),
            ([], [1, 0, 1]), (modulus + modulus + modulus, [1, 0, 1]),
        ] as [([UInt8], [UInt8])] {
            let n = TextEncoding.base64URL.encode(n.span)
            let e = TextEncoding.base64URL.encode(e.span)
            let value = try json(#"{"kty":"RSA","n":"\#(n)","e":"\#(e)"}"#)
            #expect(throws: JOSEFailure.refused) {
                try RSA.PublicKey(jwk: value, for: .signature(.ps256))
            }
        }
    }
}
