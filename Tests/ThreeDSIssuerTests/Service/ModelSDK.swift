import Cryptography
import JOSE
import StrictJSON
import TestSupport
import Testing

@testable import ThreeDSIssuer
@testable import ThreeDSProtocol

/// The SDK in a shop's app.
final class ModelSDK {
    let acsTransID: String
    var world: IssuerWorld
    private let response: JSONValue
    private var channel: SecureChannel
    private(set) var lastRequest: [UInt8] = []

    /// Sends an AReq, and makes the secure channel of its ARes.
    init(
        in world: IssuerWorld,
        _ version: ProtocolVersion = .twoTwo,
        _ encryption: JWE.Encryption = .a128CBCHS256,
        _ changes: [String: String?] = [:]
    ) async throws {
        self.world = world
        let key = try P256.PrivateKey()
        let jwk = String(decoding: try key.publicKey.jwk.written(), as: UTF8.self)
        let own: [String: String?] = ["sdkEphemPubKey": jwk]
        let request = SampleRequest(version, .app, .payment, own.merging(changes) { $1 })
        response = try await world.answer(request)
        try #require(response["transStatus"]?.text == "C", "\(response["transStatus"]?.text ?? "")")
        acsTransID = try #require(response["acsTransID"]?.text)
        let text = try #require(response["acsSignedContent"]?.text)
        let token = try JWS(reading: Array(text.utf8), maximumByteCount: 16_000)
        let payload = try token.payload(verifiedBy: .es256(world.signingKey.publicKey))
        let content = try SignedContent(payload: payload, for: key.publicKey)
        #expect(content.acsURL == "https://acs.example/3ds/challenge")
        channel = SecureChannel(
            of: .sdk,
            try ChannelKey(own: key, other: content.acsKey, sdkReferenceNumber: "SDK"),
            transactionID: acsTransID,
            state: SecureChannel.State(choosing: encryption)
        )
    }

    /// An encrypted CReq.
    func sealed(
        _ elements: [(String, JSONValue)] = [],
        in other: ProtocolVersion? = nil
    ) throws -> [UInt8] {
        let own = try #require(response["messageVersion"]?.text.flatMap(ProtocolVersion.init))
        let version = other ?? own
        let ids = ["threeDSServerTransID", "acsTransID", "sdkTransID"].map { name in
            JSONValue.Member(name: name, value: response[name] ?? .null)
        }
        let others = version < .twoThree ? [] : [("oobAppURLInd", JSONValue.string("01"))]
        let members = ids + (others + elements).map { JSONValue.Member(name: $0, value: $1) }
        lastRequest = Array(try channel.seal(Message(.creq, version, members)).utf8)
        return lastRequest
    }

    /// An encrypted message of any type.
    func sealed(_ message: Message) throws -> [UInt8] { Array(try channel.seal(message).utf8) }

    /// Sends a CReq, and returns the members of the CRes.
    func request(
        _ elements: [(String, JSONValue)] = [],
        in version: ProtocolVersion? = nil
    ) async throws -> JSONValue {
        try await response(to: sealed(elements, in: version))
    }

    func response(to body: [UInt8]) async throws -> JSONValue {
        switch try await world.service.response(toApp: body) {
        case .sealed(let text):
            guard case .message(let document) = try channel.open(text) else {
                throw StepLimitReached()
            }
            return try JSONValue(reading: document.text, limits: .message)
        case .error(let bytes): return try JSONValue(reading: bytes, limits: .message)
        case .none: return .null
        }
    }

    private struct StepLimitReached: Error {}
}
