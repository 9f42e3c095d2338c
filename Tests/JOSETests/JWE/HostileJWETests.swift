import Cryptography
import JOSE
import TestSupport
import Testing

/// Tokens that the owner of the key made, so only their form can be the reason of a refusal.
@Suite struct `An encrypted message with a correct tag` {
    private let keys: TokenKeys
    private let key: [UInt8] = Array(1...16)

    init() throws {
        keys = try TokenKeys.shared.get()
    }

    private func opened(_ text: String) throws -> [UInt8] {
        let key = try SecureBytes(copying: key.span)
        return try read(jwe: text).opened(with: key, permitting: [.a128GCM])
    }

    private func opened(_ token: SealedByHand) throws -> [UInt8] {
        try opened(token.text(SecureBytes(copying: key.span)))
    }

    private func parts(_ token: SealedByHand) throws -> [String] {
        try token.parts(SecureBytes(copying: key.span))
    }

    @Test(arguments: [
        #"{"alg":"dir","enc":"A128GCM"}"#, #" { "enc" : "A128GCM", "alg" : "dir" } "#,
        #"{"alg":"dir","enc":"A128GCM","typ":"JOSE","cty":"json","x":{"y":[1,null]}}"#,
        #"{"alg":"\u0064ir","enc":"A128GCM","kid":"é"}"#,
    ])
    func `is opened with every header of the same meaning`(header: String) throws {
        #expect(try opened(SealedByHand(header)) == Array("text".utf8))
    }

    @Test(
        arguments: [
            "", " ", "{}", "[]", #""dir""#, "null", "{", #"{"alg":"dir"}"#, #"{"enc":"A128GCM"}"#,
            #"["alg","dir","enc","A128GCM"]"#, #"{"alg":"dir","enc":"A128GCM"}x"#,
            // Repeated members, also in other spellings and deeper.
            #"{"alg":"dir","alg":"dir","enc":"A128GCM"}"#,
            #"{"alg":"dir","enc":"A128GCM","enc":"A128CBC-HS256"}"#,
            #"{"alg":"dir","\u0061lg":"dir","enc":"A128GCM"}"#,
            #"{"alg":"dir","enc":"A128GCM","x":{"y":1,"y":1}}"#,
            #"{"alg":"dir","enc":"A128GCM","kid":"a","kid":"a"}"#,
            // Other types of values.
            #"{"alg":1,"enc":"A128GCM"}"#, #"{"alg":null,"enc":"A128GCM"}"#,
            #"{"alg":["dir"],"enc":"A128GCM"}"#, #"{"alg":"dir","enc":128}"#,
            #"{"alg":"dir","enc":{"A128GCM":true}}"#, #"{"alg":"dir","enc":"A128GCM","kid":7}"#,
            #"{"alg":"dir","enc":"A128GCM","kid":null}"#,
            // Other algorithms, and other spellings of ours.
            #"{"alg":"none","enc":"A128GCM"}"#, #"{"alg":"DIR","enc":"A128GCM"}"#,
            #"{"alg":"A128KW","enc":"A128GCM"}"#, #"{"alg":"RSA1_5","enc":"A128GCM"}"#,
            #"{"alg":"ECDH-ES","enc":"A128GCM"}"#, #"{"alg":"RSA-OAEP-256","enc":"A128GCM"}"#,
            #"{"alg":"RSA-OAEP","enc":"A128GCM"}"#, #"{"alg":"dir","enc":"a128gcm"}"#,
            #"{"alg":"dir","enc":"A128CBC-HS256"}"#, #"{"alg":"dir","enc":"A256GCM"}"#,
            #"{"alg":"dir ","enc":"A128GCM"}"#, #"{"alg":"","enc":"A128GCM"}"#,
            #"{"Alg":"dir","enc":"A128GCM"}"#, #"{"alg":"dir","enc":"none"}"#,
            // Members that would choose a key, or change the meaning.
            #"{"alg":"dir","enc":"A128GCM","crit":["exp"],"exp":1}"#,
            #"{"alg":"dir","enc":"A128GCM","crit":[]}"#,
            #"{"alg":"dir","enc":"A128GCM","crit":null}"#,
            #"{"alg":"dir","enc":"A128GCM","zip":"DEF"}"#,
            #"{"alg":"dir","enc":"A128GCM","jwk":{"kty":"oct","k":"AQ"}}"#,
            #"{"alg":"dir","enc":"A128GCM","jku":"https://bank.example"}"#,
            #"{"alg":"dir","enc":"A128GCM","x5u":"https://bank.example"}"#,
            // Depth and size.
            #"{"alg":"dir","enc":"A128GCM","x":[[[[1]]]]}"#,
            #"{"alg":"dir","enc":"A128GCM","x":["#
                + Array(repeating: "1", count: 64).joined(separator: ",") + "]}",
        ]
    )
    func `SEC-83: is refused with every other header`(header: String) throws {
        #expect(throws: JOSEFailure.refused) { try opened(SealedByHand(header)) }
    }

    @Test func `has exactly five parts`() throws {
        let parts = try parts(SealedByHand(#"{"alg":"dir","enc":"A128GCM"}"#))
        #expect(try opened(parts.joined(separator: ".")) == Array("text".utf8))
        let others =
            (0..<5).map { Array(parts.prefix($0)) } + [parts + [""], parts + parts, [""] + parts]
            + (0..<5).map { index in parts.enumerated().filter { $0.offset != index }.map(\.element)
            }
        for other in others {
            #expect(throws: JOSEFailure.refused) { try opened(other.joined(separator: ".")) }
        }
    }

    @Test(arguments: 0..<5)
    func `is refused if a part is empty or is not base64url in its only spelling`(
        index: Int
    ) throws {
        let parts = try parts(SealedByHand(#"{"alg":"dir","enc":"A128GCM","kid":"a"}"#))
        let part = parts[index]
        var others = ["A", "\(part)=", "\(part)==", "=", " \(part)", "\(part) ", "\(part)\n"]
        others += ["\(part)A", "\(part)AA", "\(part)é", "\(part)\u{0}", "\(part)+", "\(part)/"]
        others += [String(part.dropLast()), String(part.dropFirst())].filter { $0 != part }
        if !part.isEmpty { others.append("") }
        if part.utf8.count % 4 != 0, let last = part.utf8.last {
            // The unused bits of the last character are not zero.
            others.append(part.dropLast() + String(UnicodeScalar(last + 1)))
        }
        for other in others {
            var changed = parts
            changed[index] = other
            #expect(throws: JOSEFailure.refused) { try opened(changed.joined(separator: ".")) }
        }
    }

    @Test func `is refused with an encrypted key that its algorithm does not have`() throws {
        var token = SealedByHand(#"{"alg":"dir","enc":"A128GCM"}"#)
        for text in ["AA", "AAAA", TextEncoding.base64URL.encode(key.span)] {
            token.encryptedKey = text
            #expect(throws: JOSEFailure.refused) { try opened(token) }
        }
    }

    @Test func `SEC-82: is refused if bytes move between ciphertext and tag`() throws {
        let parts = try parts(SealedByHand(#"{"alg":"dir","enc":"A128GCM"}"#))
        let sealed =
            try TextEncoding.base64URL.decode(parts[3])
            + TextEncoding.base64URL.decode(parts[4])
        for count in 0...sealed.count where count != 4 {
            let ciphertext = TextEncoding.base64URL.encode(sealed.span.extracting(first: count))
            let tag = TextEncoding.base64URL.encode(sealed.span.extracting(droppingFirst: count))
            let text = (parts.prefix(3) + [ciphertext, tag]).joined(separator: ".")
            #expect(throws: JOSEFailure.refused) { try opened(text) }
        }
    }

    // MARK: Encrypted keys

    /// A token whose content key is encrypted for `keys.rsa`, or the given text.
    private func encrypted(
        _ algorithm: String = "RSA-OAEP-256",
        encryptedKey: [UInt8]? = nil
    ) throws -> JWE {
        var token = SealedByHand(#"{"alg":"\#(algorithm)","enc":"A128GCM"}"#)
        let key = try SecureBytes(copying: key.span)
        let encrypted = try encryptedKey ?? keys.rsaPublic.encrypt(key)
        token.encryptedKey = TextEncoding.base64URL.encode(encrypted.span)
        return try read(jwe: token.text(key))
    }

    @Test func `SEC-83: is refused with an encrypted key under another algorithm`() throws {
        #expect(try encrypted().opened(by: keys.rsa, permitting: [.a128GCM]) == Array("text".utf8))
        for algorithm in ["dir", "ECDH-ES"] {
            #expect(throws: JOSEFailure.refused) {
                try encrypted(algorithm).opened(by: keys.rsa, permitting: [.a128GCM])
            }
        }
    }

    /// RFC 7516, section 11.5: time does not show why a key cannot be decrypted.
    @Test func `costs one decryption of its content, whatever its encrypted key is`() throws {
        let garbage = [UInt8](repeating: 1, count: 256)
        let ofOtherLengths = try [15, 32].map {
            try keys.rsaPublic.encrypt(SecureBytes.random(count: $0))
        }
        for encryptedKey in [garbage, Array(garbage.dropLast())] + ofOtherLengths {
            let token = try encrypted(encryptedKey: encryptedKey)
            let calls = CallTally.calls(of: .cipher) {
                #expect(throws: JOSEFailure.refused) {
                    try token.opened(by: keys.rsa, permitting: [.a128GCM])
                }
            }
            #expect(calls == 1)
        }
    }

    // MARK: Key agreement

    /// A token for `keys.elliptic` by the ephemeral key `keys.other`.
    private func agreed(
        _ algorithm: String = "ECDH-ES",
        epk: String,
        more: String = "",
        encryptedKey: String = ""
    ) throws -> [UInt8] {
        let derivation = KeyDerivation(
            algorithmID: [],
            partyUInfo: Array("Alice".utf8),
            partyVInfo: Array("Bob".utf8),
            byteCount: 16
        )
        let secret = try keys.other.sharedSecret(with: keys.elliptic.publicKey)
        let key = try derivation.key(from: secret)
        var token = SealedByHand(#"{"alg":"\#(algorithm)","enc":"A128GCM","epk":\#(epk)\#(more)}"#)
        token.encryptedKey = encryptedKey
        return try read(jwe: token.text(key)).opened(
            by: keys.elliptic,
            deriving: derivation,
            permitting: [.a128GCM]
        )
    }

    private var coordinates: (x: String, y: String) {
        let point = keys.other.publicKey.uncompressedPoint
        return (
            TextEncoding.base64URL.encode(point.span.extracting(1...32)),
            TextEncoding.base64URL.encode(point.span.extracting(last: 32))
        )
    }

    @Test func `is opened with the sender's ephemeral key and the same parties`() throws {
        let (x, y) = coordinates
        let epk = #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}"#
        let parties = #","apu":"\#("Alice".base64URL)","apv":"\#("Bob".base64URL)""#
        for more in ["", parties] {
            #expect(try agreed(epk: epk, more: more) == Array("text".utf8))
        }
        for more in [
            #","apu":"\#("Alicf".base64URL)""#, #","apv":"""#, #","apu":1"#, #","apv":null"#,
            #","apu":"\#("Bob".base64URL)""#, #","apu":"\#("Alice".base64URL)=""#,
        ] {
            #expect(throws: JOSEFailure.refused) { try agreed(epk: epk, more: more) }
        }
        #expect(throws: JOSEFailure.refused) { try agreed(epk: epk, encryptedKey: "AAAA") }
    }

    @Test(arguments: ["dir", "RSA-OAEP-256"])
    func `SEC-83: is refused with an ephemeral key under another algorithm`(
        algorithm: String
    ) throws {
        let (x, y) = coordinates
        let epk = #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}"#
        #expect(throws: JOSEFailure.refused) { try agreed(algorithm, epk: epk) }
    }

    @Test func `is refused with every other ephemeral key`() throws {
        let (x, y) = coordinates
        let zeros = [UInt8](repeating: 0, count: 32)
        let zero = TextEncoding.base64URL.encode(zeros.span)
        let longBytes = [0] + keys.other.publicKey.uncompressedPoint[1...32]
        let longX = TextEncoding.base64URL.encode(longBytes.span)
        let own = keys.elliptic.publicKey.uncompressedPoint
        let ownY = TextEncoding.base64URL.encode(own.span.extracting(last: 32))
        for epk in [
            "null", "1", "[]", "{}", #""\#(x)""#,
            #"{"kty":"EC","crv":"P-256","x":"\#(x)"}"#, #"{"kty":"EC","crv":"P-256","y":"\#(y)"}"#,
            #"{"kty":"EC","x":"\#(x)","y":"\#(y)"}"#, #"{"crv":"P-256","x":"\#(x)","y":"\#(y)"}"#,
            #"{"kty":"EC","crv":"P-384","x":"\#(x)","y":"\#(y)"}"#,
            #"{"kty":"OKP","crv":"P-256","x":"\#(x)","y":"\#(y)"}"#,
            // Not on the curve, or the point at infinity.
            #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(ownY)"}"#,
            #"{"kty":"EC","crv":"P-256","x":"\#(y)","y":"\#(x)"}"#,
            #"{"kty":"EC","crv":"P-256","x":"\#(zero)","y":"\#(zero)"}"#,
            #"{"kty":"EC","crv":"P-256","x":"","y":""}"#,
            // Other spellings and types.
            #"{"kty":"EC","crv":"P-256","x":"\#(longX)","y":"\#(y)"}"#,
            #"{"kty":"EC","crv":"P-256","x":"\#(x)=","y":"\#(y)"}"#,
            #"{"kty":"EC","crv":"P-256","x":"\#(x.dropLast())","y":"\#(y)"}"#,
            #"{"kty":"EC","crv":"P-256","x":1,"y":"\#(y)"}"#,
            #"{"kty":"EC","crv":"P-256","x":["\#(x)"],"y":"\#(y)"}"#,
            // Keys for another use, and private keys.
            #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)","use":"sig"}"#,
            #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)","alg":"ES256"}"#,
            #"{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)","d":"\#(x)"}"#,
        ] {
            #expect(throws: JOSEFailure.refused, "\(epk)") { try agreed(epk: epk) }
        }
    }
}
