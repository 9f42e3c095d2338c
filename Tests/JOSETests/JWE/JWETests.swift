import Cryptography
import JOSE
import TestSupport
import Testing

@Suite struct `An encrypted message` {
    private let keys: TokenKeys
    private let text = Array("Grüße aus dem Geschäft".utf8)

    init() throws {
        keys = try TokenKeys.shared.get()
    }

    @Test(arguments: JWE.Encryption.allCases, [0, 1, 15, 16, 17, 4000])
    func `is opened by the key of its content`(
        encryption: JWE.Encryption,
        count: Int
    ) throws {
        let plaintext = [UInt8](repeating: 65, count: count)
        let key = try SecureBytes.random(count: encryption.keyByteCount)
        let sealed = try JWE.sealed(plaintext.span, with: key, encryption: encryption)
        let token = try read(jwe: sealed)
        #expect(token.algorithm == .direct)
        #expect(token.encryption == encryption)
        #expect(token.keyID == nil)
        #expect(try token.opened(with: key, permitting: [encryption]) == plaintext)
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `is opened by the other party of a key agreement`(encryption: JWE.Encryption) throws {
        let derivation = KeyDerivation(
            algorithmID: [],
            partyUInfo: [1],
            partyVInfo: Array("A000000802".utf8),
            byteCount: 32
        )
        let sealed = try JWE.sealed(
            text.span,
            to: keys.elliptic.publicKey,
            deriving: derivation,
            encryption: encryption
        )
        let token = try read(jwe: sealed)
        let opened = try token.opened(
            by: keys.elliptic,
            deriving: derivation,
            permitting: [encryption]
        )
        #expect(opened == text)
        for (key, derivation) in [
            (keys.other, derivation), (keys.elliptic, JOSETests.derivation(for: encryption)),
        ] {
            #expect(throws: JOSEFailure.refused) {
                _ = try token.opened(by: key, deriving: derivation, permitting: [encryption])
            }
        }
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `is opened by a private RSA key`(encryption: JWE.Encryption) throws {
        let sealed = try JWE.sealed(text.span, to: keys.rsaPublic, encryption: encryption)
        let token = try read(jwe: sealed)
        #expect(try token.opened(by: keys.rsa, permitting: [encryption]) == text)
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `has the key's name and the nonce that were given`(encryption: JWE.Encryption) throws {
        let key = try SecureBytes.random(count: encryption.keyByteCount)
        let nonce = [UInt8](repeating: 0xff, count: encryption.nonceByteCount)
        let sealed = try JWE.sealed(
            text.span,
            with: key,
            encryption: encryption,
            keyID: #"a"é"#,
            nonce: nonce
        )
        let token = try read(jwe: sealed)
        #expect(token.keyID == #"a"é"#)
        #expect(token.nonce == nonce)
        #expect(try token.opened(with: key, permitting: [encryption]) == text)
        for count in [0, nonce.count - 1, nonce.count + 1] {
            #expect(throws: JOSEFailure.refused) {
                try JWE.sealed(
                    text.span,
                    with: key,
                    encryption: encryption,
                    nonce: [UInt8](repeating: 1, count: count)
                )
            }
        }
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `has another nonce each time`(encryption: JWE.Encryption) throws {
        let key = try SecureBytes.random(count: encryption.keyByteCount)
        let nonces = try (0..<100).map { _ in
            try read(jwe: JWE.sealed(text.span, with: key, encryption: encryption)).nonce
        }
        #expect(Set(nonces).count == 100)
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `is refused if its cipher is not permitted, with the right key`(
        encryption: JWE.Encryption
    ) throws {
        let key = try SecureBytes.random(count: encryption.keyByteCount)
        let token = try read(
            jwe: JWE.sealed(text.span, with: key, encryption: encryption)
        )
        let others = JWE.Encryption.allCases.filter { $0 != encryption }
        for permitted in [others, []] {
            #expect(throws: JOSEFailure.refused) {
                _ = try token.opened(with: key, permitting: permitted)
            }
        }
    }

    @Test func `is refused by keys for another algorithm`() throws {
        let permitted: [JWE.Encryption] = [.a128GCM]
        let derivation = derivation(for: .a128GCM)
        let key = try SecureBytes.random(count: 16)
        let direct = try read(jwe: JWE.sealed(text.span, with: key, encryption: .a128GCM))
        let agreed = try read(
            jwe: JWE.sealed(
                text.span,
                to: keys.elliptic.publicKey,
                deriving: derivation,
                encryption: .a128GCM
            )
        )
        let encrypted = try read(
            jwe: JWE.sealed(text.span, to: keys.rsaPublic, encryption: .a128GCM)
        )
        for token in [agreed, encrypted] {
            #expect(throws: JOSEFailure.refused) {
                _ = try token.opened(with: key, permitting: permitted)
            }
        }
        for token in [direct, encrypted] {
            #expect(throws: JOSEFailure.refused) {
                _ = try token.opened(
                    by: keys.elliptic,
                    deriving: derivation,
                    permitting: permitted
                )
            }
        }
        for token in [direct, agreed] {
            #expect(throws: JOSEFailure.refused) {
                _ = try token.opened(by: keys.rsa, permitting: permitted)
            }
        }
    }

    @Test(arguments: JWE.Encryption.allCases)
    func `is refused by keys of another length`(encryption: JWE.Encryption) throws {
        let key = try SecureBytes.random(count: encryption.keyByteCount)
        let token = try read(jwe: JWE.sealed(text.span, with: key, encryption: encryption))
        for count in [0, 8, 15, 16, 17, 24, 31, 32, 33, 64] {
            let other = try SecureBytes.random(count: count)
            #expect(throws: JOSEFailure.refused) {
                _ = try token.opened(with: other, permitting: [encryption])
            }
            guard count != encryption.keyByteCount else { continue }
            #expect(throws: JOSEFailure.refused) {
                try JWE.sealed(text.span, with: other, encryption: encryption)
            }
        }
    }

    @Test func `has at most as many bytes as its reader permits`() throws {
        let key = try SecureBytes.random(count: 16)
        let token = Array(try JWE.sealed(text.span, with: key, encryption: .a128GCM).utf8)
        #expect(throws: Never.self) {
            try JWE(reading: token, maximumByteCount: token.count)
        }
        #expect(throws: JOSEFailure.refused) {
            try JWE(reading: token, maximumByteCount: token.count - 1)
        }
    }
}
