import Cryptography
import JOSE
import StrictJSON
import TestSupport
import Testing

/// José, a program in C: every algorithm that it has too, in both directions.
@Suite struct `Tokens of José` {
    private let folder: TemporaryFolder
    private let text = "a text of José"

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write(text, to: "text")
    }

    private func jose(_ words: String) throws -> String {
        let run = try FinishedProcess.run(
            "sh",
            ["-euc", "cd \"$0\"; umask 077; jose \(words)", folder.path]
        )
        try #require(run.exitCode == 0, "jose \(words): \(run.errorOutput)")
        return run.output
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// A key that José makes, in a file, and the public half in another one.
    private func makeKey(_ template: String) throws -> (key: JSONValue, publicKey: JSONValue) {
        _ = try jose("jwk gen -i '\(template)' -o key")
        return (try json(jose("fmt -j key -o-")), try json(jose("jwk pub -i key -o-")))
    }

    private func sealed(_ algorithm: JWE.Algorithm, _ encryption: JWE.Encryption) throws -> String {
        let header = #"{"alg":"\#(algorithm.rawValue)","enc":"\#(encryption.rawValue)"}"#
        return try jose(#"jwe enc -i '{"protected":\#(header)}' -I text -k key -c"#)
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `are opened here by a direct key, and ours there`(encryption: JWE.Encryption) throws {
        let secret = try SecureBytes.random(count: encryption.keyByteCount)
        _ = try folder.write(
            String(decoding: secret.secretJWK(), as: UTF8.self),
            to: "key"
        )
        let token = try read(jwe: sealed(.direct, encryption))
        #expect(try token.opened(with: secret, permitting: [encryption]) == bytes(text))
        let plaintext = bytes("ours")
        let ours = try JWE.sealed(
            plaintext.span,
            with: secret,
            encryption: encryption,
            keyID: "7"
        )
        _ = try folder.write(ours, to: "token")
        #expect(try jose("jwe dec -i token -k key") == "ours")
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `are opened here by a key agreement, and ours there`(
        encryption: JWE.Encryption
    ) throws {
        let made = try makeKey(#"{"kty":"EC","crv":"P-256"}"#)
        let key = try P256.PrivateKey(jwk: made.key, for: .encryption(.ecdhES))
        let token = try read(jwe: sealed(.ecdhES, encryption))
        let opened = try token.opened(
            by: key,
            deriving: derivation(for: encryption),
            permitting: [encryption]
        )
        #expect(opened == bytes(text))
        let plaintext = bytes("ours")
        let ours = try JWE.sealed(
            plaintext.span,
            to: P256.PublicKey(jwk: made.publicKey, for: .encryption(.ecdhES)),
            deriving: derivation(for: encryption),
            encryption: encryption
        )
        _ = try folder.write(ours, to: "token")
        #expect(try jose("jwe dec -i token -k key") == "ours")
    }

    @Test func `are verified here by ES256, and ours there`() throws {
        let made = try makeKey(#"{"alg":"ES256"}"#)
        let token = try read(jws: jose("jws sig -I text -k key -c"))
        let publicKey = try P256.PublicKey(jwk: made.publicKey, for: .signature(.es256))
        #expect(try token.payload(verifiedBy: .es256(publicKey)) == bytes(text))
        let payload = bytes("ours")
        let key = try P256.PrivateKey(jwk: made.key, for: .signature(.es256))
        _ = try folder.write(JWS.signed(payload.span, by: .es256(key)), to: "token")
        #expect(try jose("jws ver -i token -k key -O-") == "ours")
    }

    @Test func `are verified here by PS256, and ours there`() throws {
        let made = try makeKey(#"{"alg":"PS256"}"#)
        let token = try read(jws: jose("jws sig -I text -k key -c"))
        let publicKey = try RSA.PublicKey(jwk: made.publicKey, for: .signature(.ps256))
        #expect(try token.payload(verifiedBy: .ps256(publicKey)) == bytes(text))
        let keys = try TokenKeys.shared.get()
        let payload = bytes("ours")
        _ = try folder.write(JWS.signed(payload.span, by: .ps256(keys.rsa)), to: "token")
        _ = try folder.write(
            String(decoding: keys.rsaPublic.jwk.written(), as: UTF8.self),
            to: "key"
        )
        #expect(try jose("jws ver -i token -k key -O-") == "ours")
    }
}
