import Cryptography
import Foundation
import JOSE
import TestSupport
import Testing

@Suite struct `A message signed with a certificate` {
    private let keys: TokenKeys
    private let now: Int64
    private let text = Array("payload".utf8)

    init() throws {
        keys = try TokenKeys.shared.get()
        // Read after the certificates were made, so they are valid.
        now = Int64(Date().timeIntervalSince1970)
    }

    private func payload(
        _ text: String,
        below anchor: String = "root",
        at seconds: Int64? = nil,
        permitting algorithms: [JWS.Algorithm] = JWS.Algorithm.allCases
    ) throws -> [UInt8] {
        try read(jws: text).payload(
            verifiedBelow: keys.certificate(anchor),
            at: seconds ?? now,
            permitting: algorithms
        )
    }

    /// Signed by the key of the first certificate, or of another one.
    private func signed(_ certificates: String..., by name: String? = nil) throws -> String {
        let signer = try #require(name ?? certificates.first)
        return try JWS.signed(
            text.span,
            by: signer == "rsa" ? .ps256(keys.rsa) : .es256(keys.privateKey(signer)),
            certificates: certificates.map { try keys.certificate($0) }
        )
    }

    @Test func `has its payload below its anchor`() throws {
        #expect(try payload(signed("elliptic", "middle")) == text)
        #expect(try payload(signed("elliptic", "middle", "root")) == text)
        #expect(try payload(signed("elliptic"), below: "middle") == text)
        let token = try JWS.signed(
            text.span,
            by: .ps256(keys.rsa),
            certificates: [keys.certificate("rsa")]
        )
        #expect(try payload(token) == text)
        #expect(try payload(token, permitting: [.ps256]) == text)
        #expect(throws: JOSEFailure.refused) { try payload(token, permitting: [.es256]) }
        #expect(throws: JOSEFailure.refused) { try payload(token, permitting: []) }
    }

    @Test func `SEC-83: is refused below every other anchor, and at another time`() throws {
        let token = try signed("elliptic", "middle")
        let (begins, ends) = try (
            keys.certificate("elliptic").begins, keys.certificate("elliptic").ends
        )
        for anchor in ["otherRoot", "rsa"] {
            #expect(throws: JOSEFailure.refused) { try payload(token, below: anchor) }
        }
        for seconds in [begins - 1, ends, 0, -1, .max, .min] {
            #expect(throws: JOSEFailure.refused) { try payload(token, at: seconds) }
        }
    }

    /// The signature is correct in each case.
    @Test func `SEC-83: is refused if only its chain is wrong`() throws {
        for token in [
            try signed("elliptic"), try signed("elliptic", "rsa"), try signed("otherRoot"),
            try signed("otherRoot", "root"),
        ] {
            #expect(throws: JOSEFailure.refused) { try payload(token) }
        }
        #expect(throws: JOSEFailure.refused) {
            try payload(signed("rsa", "root"), below: "otherRoot")
        }
    }

    /// Chain and signature are correct in each case.
    @Test(arguments: ["client", "code", "signingCA", "middle", "root"])
    func `SEC-83: is refused if its certificate is for another purpose`(name: String) throws {
        let token = try signed(name)
        #expect(throws: JOSEFailure.refused) { try payload(token) }
        #expect(throws: JOSEFailure.refused) { try payload(token, below: name) }
    }

    @Test func `is refused if its certificate is the anchor`() throws {
        let token = try signed("elliptic")
        #expect(try payload(token, below: "middle") == text)
        #expect(throws: JOSEFailure.refused) { try payload(token, below: "elliptic") }
    }

    /// The chain is trusted in each case.
    @Test func `is refused if the key of its certificate did not sign`() throws {
        for token in [
            try signed("rsa", by: "elliptic"), try signed("elliptic", "middle", by: "middle"),
            try signed("rsa", "elliptic", "middle", by: "elliptic"),
            try signed("elliptic", "middle", by: "rsa"),
        ] {
            #expect(throws: JOSEFailure.refused) { try payload(token) }
        }
    }

    @Test func `is refused without a certificate, or with a key on another curve`() throws {
        for token in [try signed(by: "elliptic"), try signed("p384", by: "elliptic")] {
            #expect(throws: JOSEFailure.refused) { try payload(token) }
        }
    }

    @Test func `is refused if its list of certificates has another form`() throws {
        let (leaf, issuer) = (
            try keys.certificate("elliptic").der, try keys.certificate("middle").der
        )
        let standard = TextEncoding.base64.encode(leaf.span)
        let middle = TextEncoding.base64.encode(issuer.span)
        let unpadded = TextEncoding.base64URL.encode(leaf.span)
        for list in [
            "null", "1", "{}", "[]", #""\#(standard)""#, #"["\#(standard)",1]"#,
            #"["\#(standard)",["\#(middle)"]]"#, #"[null,"\#(standard)","\#(middle)"]"#,
            #"["","\#(standard)","\#(middle)"]"#, #"["\#(standard)\n","\#(middle)"]"#,
            #"["\#(unpadded)","\#(middle)"]"#, #"["\#(standard)","\#(middle)",""]"#,
            #"["AAAA\#(standard)","\#(middle)"]"#,
        ] {
            let token = try signedByHand(#"{"alg":"ES256","x5c":\#(list)}"#)
            #expect(throws: JOSEFailure.refused, "\(list)") { try payload(token) }
        }
        let token = try signedByHand(#"{"alg":"ES256","x5c":["\#(standard)","\#(middle)"]}"#)
        #expect(try payload(token) == Array("text".utf8))
    }

    /// The algorithm must be the one of the certificate's key.
    @Test func `is refused if the header names another algorithm`() throws {
        let der = try keys.certificate("rsa").der
        let leaf = TextEncoding.base64.encode(der.span)
        for algorithm in ["ES256", "RS256", "none"] {
            let token = try signedByHand(#"{"alg":"\#(algorithm)","x5c":["\#(leaf)"]}"#)
            #expect(throws: JOSEFailure.refused) { try payload(token) }
        }
    }

    private func signedByHand(_ header: String) throws -> String {
        let message = Array((header.base64URL + "." + "text".base64URL).utf8)
        let signature = try keys.elliptic.signature(for: message.span).raw
        return String(decoding: message, as: UTF8.self) + "."
            + TextEncoding.base64URL.encode(signature.span)
    }
}
