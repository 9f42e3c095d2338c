import Cryptography
import Foundation
import JOSE
import StrictJSON
import TestSupport
import Testing

@testable import ThreeDSProtocol

@Suite struct `The content that an ACS signed` {
    private static let url = "https://acs.example/challenge"

    private let keys: DirectoryKeys
    private let acsKey: P256.PublicKey
    private let sdkKey: P256.PublicKey
    private let now: Int64

    init() throws {
        keys = try DirectoryKeys.shared.get()
        // Read after the certificates were made, so they are valid.
        now = Int64(Date().timeIntervalSince1970)
        (acsKey, sdkKey) = (try P256.PrivateKey().publicKey, try P256.PrivateKey().publicKey)
    }

    private func signingKeys() -> [(name: String, key: JWS.SigningKey)] {
        [("rsa", .ps256(keys.rsa)), ("elliptic", .es256(keys.elliptic))]
    }

    private func signed(_ name: String, _ key: JWS.SigningKey) throws -> String {
        let content = try #require(
            SignedContent(acsKey: acsKey, sdkKey: sdkKey, acsURL: Self.url)
        )
        return try content.signed(by: JWS.Signer(key, certificates: [keys.certificate(name)]))
    }

    /// A token of the elliptic key, with any payload.
    private func signed(payload: String) throws -> String {
        let bytes = Array(payload.utf8)
        return try JWS.signed(
            bytes.span,
            by: .es256(keys.elliptic),
            certificates: [keys.certificate("elliptic")]
        )
    }

    private func verified(
        _ text: String,
        below anchor: String = "directory",
        at seconds: Int64? = nil,
        for key: P256.PublicKey? = nil
    ) throws(any Error) -> SignedContent {
        try SignedContent(
            verifying: Array(text.utf8),
            below: keys.certificate(anchor),
            at: seconds ?? now,
            for: key ?? sdkKey
        )
    }

    @Test func `is verified with either algorithm`() throws {
        for (name, key) in signingKeys() {
            let content = try verified(signed(name, key))
            #expect(content.acsKey == acsKey)
            #expect(content.sdkKey == sdkKey)
            #expect(content.acsURL == Self.url)
        }
    }

    @Test func `SEC-83: is refused below another directory's CA, and after its end`() throws {
        for (name, key) in signingKeys() {
            let text = try signed(name, key)
            let certificate = try keys.certificate(name)
            #expect(throws: ChannelFailure.refused) { try verified(text, below: "otherDirectory") }
            for seconds in [certificate.begins - 1, certificate.ends, certificate.ends + 1] {
                #expect(throws: ChannelFailure.refused) { try verified(text, at: seconds) }
            }
            #expect(throws: Never.self) { try verified(text, at: certificate.ends - 1) }
        }
    }

    @Test func `SEC-83: is refused by the key of a TLS certificate of the same CA`() throws {
        let text = try signed("transport", .es256(keys.transport))
        #expect(throws: ChannelFailure.refused) { try verified(text) }
    }

    @Test func `SEC-83: is refused with another algorithm`() throws {
        let payload = #"{"acsURL":"https://acs.example"}"#
        let certificates = try ["rsa", "p384"].map { name in
            let der = try keys.certificate(name).der
            return TextEncoding.base64.encode(der.span)
        }
        func message(_ algorithm: String, _ certificate: String) -> String {
            let header = Array(#"{"alg":"\#(algorithm)","x5c":["\#(certificate)"]}"#.utf8)
            let body = Array(payload.utf8)
            return TextEncoding.base64URL.encode(header.span) + "."
                + TextEncoding.base64URL.encode(body.span)
        }
        let old = message("RS256", certificates[0])
        #expect(throws: ChannelFailure.refused) {
            try verified(old + "." + keys.oldSignature(of: old))
        }
        for algorithm in ["none", "HS256", "PS384", "ES384", "EdDSA", "es256"] {
            for certificate in certificates {
                let text = message(algorithm, certificate)
                #expect(throws: ChannelFailure.refused) { try verified(text + ".") }
                #expect(throws: ChannelFailure.refused) { try verified(text + ".AAAA") }
            }
        }
        // A key on another curve, with a signature by a key of the right one.
        let text = message("ES256", certificates[1])
        let bytes = Array(text.utf8)
        let signature = try keys.elliptic.signature(for: bytes.span).raw
        #expect(throws: ChannelFailure.refused) {
            try verified(text + "." + TextEncoding.base64URL.encode(signature.span))
        }
    }

    @Test func `is refused for the key of another SDK`() throws {
        let text = try signed("rsa", .ps256(keys.rsa))
        #expect(throws: ChannelFailure.refused) { try verified(text, for: acsKey) }
        #expect(throws: ChannelFailure.refused) {
            try verified(text, for: P256.PrivateKey().publicKey)
        }
    }

    private func payload(
        acs: String? = nil,
        sdk: String? = nil,
        url: String = #""https://acs.example/challenge""#,
        more: String = ""
    ) throws -> String {
        let acs = try acs ?? String(decoding: acsKey.jwk.written(), as: UTF8.self)
        let sdk = try sdk ?? String(decoding: sdkKey.jwk.written(), as: UTF8.self)
        return #"{"acsEphemPubKey":\#(acs),"sdkEphemPubKey":\#(sdk),"acsURL":\#(url)\#(more)}"#
    }

    @Test func `may have members that are not known`() throws {
        let content = try verified(signed(payload: payload(more: #","later":1"#)))
        #expect(content.acsKey == acsKey)
    }

    @Test(arguments: [
        #""http://acs.example/""#, #""acs.example""#, #""""#, "null", #"["https://acs.example"]"#,
        #""https://""#, #""https:///path""#, #""javascript:alert(1)""#,
        #""https://acs.example/a b""#, #""https://acs.example/é""#,
    ])
    func `is refused with another address than one of https`(_ url: String) throws {
        #expect(throws: ChannelFailure.refused) {
            try verified(signed(payload: payload(url: url)))
        }
    }

    @Test func `is not made with another address than one of https`() {
        let long = "https://acs.example/" + String(repeating: "a", count: 2048)
        for url in ["http://acs.example/", "", long] {
            #expect(SignedContent(acsKey: acsKey, sdkKey: sdkKey, acsURL: url) == nil)
        }
    }

    @Test func `is made with an address of http in a sandbox only`() {
        for (url, isMade) in [("http://localhost:8454/", true), ("ftp://localhost/", false)] {
            let content = SignedContent(
                acsKey: acsKey,
                sdkKey: sdkKey,
                acsURL: url,
                isSandbox: true
            )
            #expect((content != nil) == isMade, "\(url)")
        }
    }

    @Test func `is refused with keys of another form`() throws {
        let written = try String(decoding: acsKey.jwk.written(), as: UTF8.self)
        let keys: [String] = [
            "null", "{}", #""\#(written)""#, written.replacing("P-256", with: "P-384"),
            written.replacing("EC", with: "RSA"), written.replacing(#""x":"#, with: #""z":"#),
            written.dropLast() + #","d":"AAAA"}"#, written.dropLast() + #","use":"sig"}"#,
            // A point that is not on the curve.
            written.replacing(/"y":"(.)/) { #""y":"\#($0.1 == "_" ? "A" : "_")"# },
        ]
        for key in keys {
            #expect(throws: ChannelFailure.refused, "\(key)") {
                try verified(signed(payload: payload(acs: key)))
            }
            #expect(throws: ChannelFailure.refused, "\(key)") {
                try verified(signed(payload: payload(sdk: key)))
            }
        }
    }

    @Test func `is refused in another form`() throws {
        let repeated = try payload(more: #","acsURL":"https://other.example""#)
        for text in ["", "{}", "[]", "text", repeated] {
            #expect(throws: ChannelFailure.refused) { try verified(signed(payload: text)) }
        }
    }

    @Test func `has at most 16,000 bytes`() throws {
        let short = try signed(payload: payload(more: #","a":"\#(fill(10_000))""#))
        #expect(short.utf8.count < 16_000)
        #expect(throws: Never.self) { try verified(short) }
        let long = try signed(payload: payload(more: #","a":"\#(fill(12_000))""#))
        #expect(long.utf8.count > 16_000)
        #expect(throws: ChannelFailure.refused) { try verified(long) }
        let content = try #require(
            SignedContent(acsKey: acsKey, sdkKey: sdkKey, acsURL: Self.url)
        )
        let certificates = try Array(repeating: keys.certificate("elliptic"), count: 40)
        let signer = try JWS.Signer(.es256(keys.elliptic), certificates: certificates)
        #expect(throws: ChannelFailure.refused) { try content.signed(by: signer) }
    }

    private func fill(_ count: Int) -> String { String(repeating: "a", count: count) }

    @Test func `SEC-82: has one error after each change`() throws {
        var random = SeededGenerator(seed: 256)
        for (name, key) in signingKeys() {
            let text = Array(try signed(name, key).utf8)
            for _ in 0..<500 {
                var changed = text
                let place = Int.random(in: 0..<text.count, using: &random)
                changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                #expect(
                    throws: ChannelFailure.refused,
                    "\(String(decoding: changed, as: UTF8.self))"
                ) {
                    try verified(String(decoding: changed, as: UTF8.self))
                }
            }
        }
    }
}
