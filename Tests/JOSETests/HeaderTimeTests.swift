import Cryptography
import JOSE
import TestSupport
import Testing

@Suite struct `The time to read a header` {
    private static let headers: [@Sendable (String) -> String] = [
        { #"{"\#($0)":1,"alg":"dir","enc":"A128GCM"}"# },
        { #"{"\#($0)a":1,"\#($0)b":2,"enc":"A128GCM"}"# },
        { #"{"alg":"\#($0)","enc":"A128GCM"}"# }, { #"{"alg":"dir","enc":"\#($0)"}"# },
        { #"{"alg":"dir","enc":"A128GCM","kid":"\#($0)"}"# },
        { #"{"alg":"ECDH-ES","enc":"A128GCM","apu":"\#($0)"}"# },
        { #"{"alg":"ECDH-ES","enc":"A128GCM","epk":{"kty":"\#($0)"}}"# },
        { #"{"alg":"ECDH-ES","enc":"A128GCM","epk":{"\#($0)":"EC"}}"# },
        { #"{"alg":"ECDH-ES","enc":"A128GCM","epk":{"kty":"EC","crv":"\#($0)"}}"# },
        { #"{"alg":"ECDH-ES","enc":"A128GCM","epk":{"kty":"EC","key_ops":["\#($0)"]}}"# },
        { #"{"alg":"ES256","x5c":["\#($0)"]}"# }, { #"{"alg":"ES256","\#($0)":"x"}"# },
    ]

    @Test(arguments: headers.indices)
    func `grows with its length`(_ index: Int) throws {
        let key = try P256.PrivateKey()
        let derivation = KeyDerivation(
            algorithmID: [],
            partyUInfo: [],
            partyVInfo: Array("SDK".utf8),
            byteCount: 32
        )
        let verification = JWS.VerificationKey.es256(key.publicKey)
        let growth = Growth(from: 4096) { size in
            Self.headers[index](combiningMarks(byteCount: size)).base64URL
        } _: { header in
            // They are refused; only the time matters.
            let encrypted = Array((header + "...AAAA.AAAAAAAAAAAAAAAAAAAAAA").utf8)
            _ = try? JWE(reading: encrypted, maximumByteCount: 1 << 20)
                .opened(by: key, deriving: derivation, permitting: JWE.Encryption.allCases)
            let signed = Array((header + ".AAAA.AAAA").utf8)
            _ = try? JWS(reading: signed, maximumByteCount: 1 << 20)
                .payload(verifiedBy: verification)
        }
        #expect(growth.isLinear, "\(growth)")
    }

    @Test(arguments: [
        (String(repeating: "é", count: 128), true), (String(repeating: "é", count: 129), false),
        (String(repeating: "x", count: 5000), true),
    ])
    func `is limited by the length of texts that are not in ASCII`(
        text: String,
        isAccepted: Bool
    ) throws {
        let headers = [
            #"{"alg":"dir","enc":"A128GCM","kid":"\#(text)"}"#,
            #"{"alg":"dir","enc":"A128GCM","\#(text)":1}"#,
            #"{"alg":"dir","enc":"A128GCM","x":[{"y":"\#(text)"}]}"#,
        ]
        for header in headers {
            let token = try? read(jwe: header.base64URL + "...AAAA.AAAA")
            #expect((token != nil) == isAccepted, "\(header.prefix(60))")
        }
    }
}
