import Cryptography
import JOSE
import StrictJSON
import Testing
import VectorTesting

/// The samples of EMVCo's App-based Crypto Worked Samples 3.0.0, which others published.
@Suite(.needsExtraVectors(for: "EMVCo's worked samples of cryptography"))
struct `EMVCo's worked samples` {
    private let samples: JSONValue

    init() throws {
        samples = try JSONValue(
            reading: [UInt8](ExtraVectors.read("emv/emvco-worked-samples.json")),
            limits: .init(byteCount: 1 << 20, depth: 8, valueCount: 4096)
        )
    }

    private func member(_ names: String...) throws -> JSONValue {
        try names.reduce(samples) { try #require($0[$1]) }
    }

    private func text(_ names: String...) throws -> String {
        try #require(names.reduce(samples) { $0[$1] ?? .null }.text)
    }

    private func privateKey(_ jwk: JSONValue) throws -> P256.PrivateKey {
        try P256.PrivateKey(jwk: jwk, for: .encryption(.ecdhES))
    }

    private func withoutPrivatePart(_ jwk: JSONValue) throws -> JSONValue {
        guard case .object(let members) = jwk else { throw CryptographyFailure.invalidArgument }
        return .object(members.filter { $0.name != "d" })
    }

    /// EMV 3-D Secure, section 6.2.3.2: all values but one are empty, 256 bits in every case.
    private func derivation(_ partyVInfo: String) -> KeyDerivation {
        KeyDerivation(
            algorithmID: [],
            partyUInfo: [],
            partyVInfo: Array(partyVInfo.utf8),
            byteCount: 32
        )
    }

    @Test(arguments: 0..<4) func `of device data are opened`(number: Int) throws {
        let token = try JWE(
            reading: Array(#require(try member("ex1to4_sdkEncData").elements[number].text).utf8),
            maximumByteCount: 64_000
        )
        let opened =
            switch token.algorithm {
            case .rsaOAEP256:
                try token.opened(
                    by: privateRSAKey(member("dsRSA")),
                    permitting: JWE.Encryption.allCases
                )
            case .ecdhES, .direct:
                try token.opened(
                    by: privateKey(member("dsEC")),
                    deriving: derivation(text("directoryServerID")),
                    permitting: JWE.Encryption.allCases
                )
            }
        #expect(opened == Array(try text("deviceInfo").utf8))
    }

    @Test(arguments: 0..<2) func `of signed content are verified by their chain`(
        number: Int
    ) throws {
        let token = try JWS(
            reading: Array(
                #require(try member("ex5_6_acsSignedContent").elements[number].text).utf8
            ),
            maximumByteCount: 16_000
        )
        let pem = Array(try text("dsRootPEM").utf8)
        let anchor = try #require(try Certificate.all(inPEM: pem).first)
        let payload = try token.payload(
            verifiedBelow: anchor,
            at: 1_600_000_000,
            permitting: JWS.Algorithm.allCases
        )
        let content = try JSONValue(reading: payload, limits: .message)
        #expect(content["acsEphemPubKey"] != nil)
        // Both certificates end on 2027-12-31.
        #expect(throws: JOSEFailure.refused) {
            try token.payload(
                verifiedBelow: anchor,
                at: 1_900_000_000,
                permitting: JWS.Algorithm.allCases
            )
        }
    }

    @Test func `of a key agreement give the same keys on both sides`() throws {
        let acs = try privateKey(member("ex7_8", "acsEphem"))
        let sdk = try privateKey(member("ex7_8", "sdkEphem"))
        for (own, other) in [(acs, sdk), (sdk, acs)] {
            let secret = try own.sharedSecret(with: other.publicKey)
            #expect(hexadecimal(secret) == (try text("ex7_8", "Z")))
            let key = try derivation(text("ex7_8", "sdkReferenceNumber")).key(from: secret)
            #expect(hexadecimal(key) == (try text("ex7_8", "CEK")))
        }
    }

    @Test func `of device data have the published secret and key`() throws {
        let own = try privateKey(member("sdkEphemDeviceData"))
        let other = try P256.PublicKey(
            jwk: withoutPrivatePart(member("dsEC")),
            for: .encryption(.ecdhES)
        )
        let secret = try own.sharedSecret(with: other)
        #expect(hexadecimal(secret) == (try text("deviceDataZ")))
        let key = try derivation(text("directoryServerID")).key(from: secret)
        #expect(hexadecimal(key) == (try text("deviceDataCEK")))
    }

    @Test(arguments: 0..<4) func `of challenge messages are opened`(number: Int) throws {
        let sample = try member("ex9_12").elements[number]
        let bytes = try TextEncoding.hexadecimal.decode(#require(sample["cek"]?.text))
        let key = try SecureBytes(copying: bytes.span)
        let token = try JWE(
            reading: Array(#require(sample["jwe"]?.text).utf8),
            maximumByteCount: 64_000
        )
        #expect(token.keyID == "ACSTransactionID")
        let plaintext = try #require(sample["plaintext"]?.text)
        let opened = try token.opened(with: key, permitting: [token.encryption])
        #expect(opened == Array(plaintext.utf8))
        if token.encryption == .a128GCM {
            // The direction, and the counter in the plaintext.
            let direction: UInt8 = plaintext.contains("sdkCounterStoA") ? 0 : 0xff
            #expect(token.nonce == [UInt8](repeating: direction, count: 11) + [1])
        }
    }

    private func hexadecimal(_ secret: borrowing SecureBytes) -> String {
        secret.withBytes { TextEncoding.hexadecimal.encode($0) }.uppercased()
    }
}
