import Cryptography
import JOSE
import StrictJSON
import Testing
import VectorTesting

@testable import ThreeDSProtocol

/// The 12 samples of EMVCo's App-based Crypto Worked Samples 3.0.0, through the secure channel.
@Suite(.needsExtraVectors(for: "EMVCo's worked samples of secure channels"))
struct `EMVCo's worked samples of channels` {
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

    private func bytes(_ list: String, _ number: Int) throws -> [UInt8] {
        Array(try #require(try member(list).elements[number].text).utf8)
    }

    private func key(_ jwk: JSONValue) throws -> P256.PrivateKey {
        try P256.PrivateKey(jwk: jwk, for: .encryption(.ecdhES))
    }

    @Test(arguments: 0..<4) func `1 to 4: device data are read`(number: Int) throws {
        let key: DeviceData.OpeningKey =
            number < 2
            ? .rsa(try privateRSAKey(member("dsRSA")))
            : .elliptic(
                try self.key(member("dsEC")),
                directoryServerID: try text("directoryServerID")
            )
        let data = try DeviceData(decrypting: bytes("ex1to4_sdkEncData", number), by: key)
        #expect(try data.written() == Array(text("deviceInfo").utf8))
        #expect(data.warnings == ["SW01", "SW04"])
        #expect(data.unavailable.map(\.name) == ["C010", "C011"])
    }

    /// The address of the samples has the scheme `http`, which the package refuses.
    @Test(arguments: 0..<2) func `5 and 6: signed content is verified`(number: Int) throws {
        let sample = try bytes("ex5_6_acsSignedContent", number)
        let pem = Array(try text("dsRootPEM").utf8)
        let anchor = try #require(try Certificate.all(inPEM: pem).first)
        let payload = try JWS(reading: sample, maximumByteCount: SignedContent.maximumByteCount)
            .payload(verifiedBelow: anchor, at: 1_600_000_000, permitting: [.ps256, .es256])
        let content = try JSONValue(reading: payload, limits: .message)
        let use = JWKUse.encryption(.ecdhES)
        let sdkKey = try P256.PublicKey(jwk: #require(content["sdkEphemPubKey"]), for: use)
        let acsKey = try P256.PublicKey(jwk: #require(content["acsEphemPubKey"]), for: use)
        #expect(throws: ChannelFailure.refused) {
            try SignedContent(
                verifying: sample,
                below: anchor,
                at: 1_600_000_000,
                for: sdkKey
            )
        }
        let written = String(decoding: payload, as: UTF8.self)
        let secured = Array(written.replacing("http:", with: "https:").utf8)
        let read = try SignedContent(payload: secured, for: sdkKey)
        #expect(read.acsKey == acsKey)
        #expect(read.acsURL == "https://acsserver.domainname.com")
        #expect(throws: ChannelFailure.refused) {
            try SignedContent(payload: secured, for: acsKey)
        }
    }

    private func agreedKey(_ side: SecureChannel.Side) throws -> ChannelKey {
        let acs = try key(member("ex7_8", "acsEphem"))
        let sdk = try key(member("ex7_8", "sdkEphem"))
        let (own, other) = side == .sdk ? (sdk, acs) : (acs, sdk)
        return try ChannelKey(
            own: own,
            other: other.publicKey,
            sdkReferenceNumber: text("ex7_8", "sdkReferenceNumber")
        )
    }

    @Test(arguments: SecureChannel.Side.allCases)
    func `7 and 8: keys are agreed`(side: SecureChannel.Side) throws {
        let agreed = try agreedKey(side).withBytes { TextEncoding.hexadecimal.encode($0) }
        #expect(agreed.uppercased() == (try text("ex7_8", "CEK")))
    }

    private func channel(
        _ side: SecureChannel.Side,
        _ encryption: JWE.Encryption?
    ) throws -> SecureChannel {
        SecureChannel(
            of: side,
            try agreedKey(side),
            transactionID: "ACSTransactionID",
            state: SecureChannel.State(choosing: encryption)
        )
    }

    /// The samples have the counter 001, so each side first sends a message of its own.
    @Test(arguments: 0..<4) func `9 to 12: messages are opened`(number: Int) throws {
        let sample = try member("ex9_12").elements[number]
        let token = Array(try #require(sample["jwe"]?.text).utf8)
        let plaintext = Array(try #require(sample["plaintext"]?.text).utf8)
        let encryption: JWE.Encryption = number % 2 == 0 ? .a128CBCHS256 : .a128GCM
        var sdk = try channel(.sdk, encryption)
        var acs = try channel(.acs, nil)
        _ = try acs.open(Array(sdk.seal(Message(.creq, .twoOne, [])).utf8))
        _ = try sdk.open(Array(acs.seal(Message(.cres, .twoOne, [])).utf8))
        let opened = number < 2 ? try acs.open(token) : try sdk.open(token)
        guard case .message(let document) = opened else {
            Issue.record("a repetition")
            return
        }
        #expect(document.text == plaintext)
        // No other state accepts them.
        var early = try channel(number < 2 ? .acs : .sdk, number < 2 ? nil : encryption)
        #expect(Self.refuses(token, &early))
        #expect(early.state.isEnded)
    }

    private static func refuses(_ token: [UInt8], _ channel: inout SecureChannel) -> Bool {
        do throws(ChannelFailure) {
            _ = try channel.open(token)
            return false
        } catch {
            return error == .refused
        }
    }
}
