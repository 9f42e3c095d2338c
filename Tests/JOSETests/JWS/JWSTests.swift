import Cryptography
import Foundation
import JOSE
import TestSupport
import Testing

@Suite struct `A signed message` {
    private let keys: TokenKeys
    private let text = Array("payload é".utf8)

    init() throws {
        keys = try TokenKeys.shared.get()
    }

    private var ways: [(sign: JWS.SigningKey, verify: JWS.VerificationKey)] {
        [
            (.es256(keys.elliptic), .es256(keys.elliptic.publicKey)),
            (.ps256(keys.rsa), .ps256(keys.rsaPublic)),
        ]
    }

    @Test(arguments: [0, 1, 2, 3, 4000]) func `has its payload for its key`(count: Int) throws {
        let payload = [UInt8](repeating: 200, count: count)
        for way in ways {
            let token = try read(jws: JWS.signed(payload.span, by: way.sign))
            #expect(try token.payload(verifiedBy: way.verify) == payload)
            let signer = try JWS.Signer(way.sign)
            for payload in [payload, text] {
                let token = try read(jws: signer.signed(payload.span))
                #expect(try token.payload(verifiedBy: way.verify) == payload)
            }
        }
    }

    @Test func `is refused by every other key`() throws {
        for (index, way) in ways.enumerated() {
            let token = try read(jws: JWS.signed(text.span, by: way.sign))
            let others = [ways[1 - index].verify, .es256(keys.other.publicKey)]
            for other in others {
                #expect(throws: JOSEFailure.refused) { try token.payload(verifiedBy: other) }
            }
        }
    }

    /// ES256 is `r` and `s`; PS256 is as long as the key.
    @Test func `is refused with a signature of another form`() throws {
        for way in ways {
            let parts = try JWS.signed(text.span, by: way.sign).split(separator: ".")
            let signature = try TextEncoding.base64URL.decode(String(parts[2]))
            var others = [
                [], [0], Array(signature.dropLast()), signature + [0], [0] + signature,
                [UInt8](repeating: 0, count: signature.count),
            ]
            if let raw = try? P256.Signature(raw: signature.span) {
                others.append(raw.distinguishedEncoding)
            }
            for other in others {
                let text = "\(parts[0]).\(parts[1]).\(TextEncoding.base64URL.encode(other.span))"
                #expect(throws: JOSEFailure.refused) {
                    try read(jws: text).payload(verifiedBy: way.verify)
                }
            }
        }
    }

    /// A token with any header, which the key really signed.
    private func signedByHand(_ header: String) throws -> String {
        let message = Array((header.base64URL + "." + "text".base64URL).utf8)
        let signature = try keys.elliptic.signature(for: message.span).raw
        return String(decoding: message, as: UTF8.self) + "."
            + TextEncoding.base64URL.encode(signature.span)
    }

    @Test(arguments: [
        #"{"alg":"ES256"}"#, #"{"typ":"JWT","alg":"ES256","kid":"a"}"#,
        // Not used: the caller gave the key.
        #"{"alg":"ES256","x5c":["AAAA"],"x5t":"a"}"#,
    ])
    func `has its payload with every header of the same meaning`(header: String) throws {
        let token = try read(jws: signedByHand(header))
        let key = JWS.VerificationKey.es256(keys.elliptic.publicKey)
        #expect(try token.payload(verifiedBy: key) == Array("text".utf8))
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"alg":"none"}"#, #"{"alg":"None"}"#, #"{"alg":""}"#, #"{"alg":1}"#,
        #"{"alg":null}"#, #"{"alg":["ES256"]}"#, #"{"alg":"HS256"}"#, #"{"alg":"RS256"}"#,
        #"{"alg":"ES384"}"#, #"{"alg":"PS256"}"#, #"{"alg":"PS384"}"#, #"{"alg":"es256"}"#,
        #"{"alg":"ES256","alg":"ES256"}"#, #"{"alg":"ES256","alg":"none"}"#,
        #"{"alg":"ES256","\u0061lg":"none"}"#, #"{"alg":"ES256"}{}"#,
        #"{"alg":"ES256","crit":["b64"],"b64":false}"#, #"{"alg":"ES256","crit":[]}"#,
        #"{"alg":"ES256","zip":"DEF"}"#, #"{"alg":"ES256","jku":"https://bank.example"}"#,
        #"{"alg":"ES256","x5u":"https://bank.example"}"#, #"{"alg":"ES256","jwk":{}}"#,
    ])
    func `SEC-83: is refused with every other header`(header: String) throws {
        let text = try signedByHand(header)
        #expect(throws: JOSEFailure.refused) {
            try read(jws: text).payload(verifiedBy: .es256(keys.elliptic.publicKey))
        }
    }

    /// An attacker knows the public key, and could use its bytes as the key of a MAC.
    @Test func `is refused if a public key is the secret of its MAC`() throws {
        let message = Array((#"{"alg":"HS256"}"#.base64URL + "." + "text".base64URL).utf8)
        let secret = try SecureBytes(copying: keys.elliptic.publicKey.uncompressedPoint.span)
        let mac = try HMAC(.sha256, key: secret).authenticate(message.span).array
        let text =
            String(decoding: message, as: UTF8.self) + "."
            + TextEncoding.base64URL.encode(mac.span)
        #expect(throws: JOSEFailure.refused) { try read(jws: text) }
    }

    @Test func `has exactly three parts and a limited length`() throws {
        let text = try JWS.signed(text.span, by: .es256(keys.elliptic))
        let parts = text.split(separator: ".").map(String.init)
        for other in [
            "", ".", "..", "...", parts[0], parts[0] + "." + parts[1], text + ".", "." + text,
            text + "." + text, parts[0] + ".." + parts[1] + "." + parts[2],
        ] {
            #expect(throws: JOSEFailure.refused) { try read(jws: other) }
        }
        let bytes = Array(text.utf8)
        #expect(throws: Never.self) { try JWS(reading: bytes, maximumByteCount: bytes.count) }
        #expect(throws: JOSEFailure.refused) {
            try JWS(reading: bytes, maximumByteCount: bytes.count - 1)
        }
    }
}
