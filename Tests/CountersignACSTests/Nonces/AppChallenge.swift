import Cryptography
import Foundation
import JOSE
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol

/// A challenge in a shop's app, whose requests repeat, and go on when the ACS was killed.
struct AppChallenge {
    private enum Ending {
        case approval, cancel
        /// Two requests of the SDK that have one counter.
        ///
        /// They show a lost state: a repeated request would have the same response again.
        case fork

        static let choices = [approval, cancel, fork, fork]
    }

    /// The ACS refused a request of a well-behaved app.
    struct Refusal: Error {
        let response: String
    }

    private let acs: KilledACS
    private let responses: SealedResponses
    private let id: String
    private let ids: [JSONValue.Member]
    private let key: P256.PrivateKey
    private let acsKey: P256.PublicKey
    private var state = SecureChannel.State(choosing: .a128GCM)
    private var random: SeededGenerator

    private static let reference = "SDK"

    /// Sends an AReq for this card.
    init(
        with card: String,
        at acs: KilledACS,
        noting responses: SealedResponses,
        _ random: SeededGenerator
    ) async throws {
        (self.acs, self.responses, self.random) = (acs, responses, random)
        let key = try P256.PrivateKey()
        let request = try Self.request(card, key.publicKey)
        let body = try await acs.response(toDirectory: request)
        let response = try JSONValue(reading: Array(body.utf8), limits: .message)
        guard response["transStatus"]?.text == "C", let id = response["acsTransID"]?.text,
            let content = response["acsSignedContent"]?.text
        else { throw Refusal(response: body) }
        acsKey = try SignedContent(
            verifying: Array(content.utf8),
            below: acs.anchor,
            at: Int64(Date().timeIntervalSince1970),
            for: key.publicKey
        ).acsKey
        ids = ["threeDSServerTransID", "acsTransID", "sdkTransID"].map {
            JSONValue.Member(name: $0, value: response[$0] ?? .null)
        }
        (self.id, self.key) = (id, key)
    }

    /// Makes the whole challenge.
    mutating func complete() async throws {
        for _ in 0...Int.random(in: 0...2, using: &random) { try await exchange() }
        switch Ending.choices.randomElement(using: &random) {
        case .approval:
            acs.verifier.approve(id)
            try await end(as: "Y")
        case .cancel: try await end(as: "N", after: Self.cancel)
        case .fork, nil: try await fork()
        }
    }

    private static let cancel = [JSONValue.Member(name: "challengeCancel", value: .string("01"))]

    /// Sends a CReq, and some more while the ACS does not have the result.
    private mutating func end(
        as status: String,
        after elements: [JSONValue.Member] = []
    ) async throws {
        var response = try await exchange(elements)
        for _ in 0..<3 where response["challengeCompletionInd"]?.text == "N" {
            response = try await exchange()
        }
        let end = response["transStatus"]?.text
        #expect(end == nil || end == status)
    }

    /// Sends different requests with one counter; the ACS encrypts a response to one of them only.
    private mutating func fork() async throws {
        let former = state
        let first = try sealed()
        state = former
        let second = try sealed(Self.cancel)
        async let one = acs.response(toApp: first)
        async let other = acs.response(toApp: second)
        for response in try await [one, other] { noteIfSealed(response) }
        for request in [first, second] {
            noteIfSealed(try await acs.response(toApp: request))
        }
    }

    private func noteIfSealed(_ response: String) {
        if !response.hasPrefix("{") { responses.note(response, of: id) }
    }

    /// Sends a CReq once or twice at the same time, and perhaps again; returns the CRes.
    @discardableResult
    private mutating func exchange(
        _ elements: [JSONValue.Member] = []
    ) async throws -> JSONValue {
        let request = try sealed(elements)
        let isDoubled = Bool.random(using: &random)
        async let one = acs.response(toApp: request)
        async let other = isDoubled ? acs.response(toApp: request) : nil
        let response = try await one
        guard !response.hasPrefix("{") else { throw Refusal(response: response) }
        responses.note(response, of: id)
        if let other = try await other { #expect(other == response) }
        if Bool.random(using: &random) {
            #expect(try await acs.response(toApp: request) == response)
        }
        return try opened(response)
    }
}

// MARK: Messages

extension AppChallenge {
    private mutating func sealed(_ elements: [JSONValue.Member] = []) throws -> String {
        var channel = try channel()
        let text = try channel.seal(Message(.creq, .twoTwo, ids + elements))
        state = channel.state
        return text
    }

    private mutating func opened(_ response: String) throws -> JSONValue {
        var channel = try channel()
        guard case .message(let document) = try channel.open(Array(response.utf8)) else {
            throw Refusal(response: response)
        }
        state = channel.state
        return try JSONValue(reading: document.text, limits: .message)
    }

    private func channel() throws -> SecureChannel {
        SecureChannel(
            of: .sdk,
            try ChannelKey(own: key, other: acsKey, sdkReferenceNumber: Self.reference),
            transactionID: id,
            state: state
        )
    }

    private static func request(_ card: String, _ key: P256.PublicKey) throws -> String {
        let (server, directory, sdk) = (newID(), newID(), newID())
        let jwk = String(decoding: try key.jwk.written(), as: UTF8.self)
        return """
            {"messageType":"AReq","messageVersion":"2.2.0","messageCategory":"01",
            "deviceChannel":"01","acctNumber":"\(card)","threeDSServerTransID":"\(server)",
            "dsTransID":"\(directory)","threeDSRequestorID":"requestor",
            "threeDSRequestorName":"Coffee online","threeDSRequestorURL":"https://shop.example/",
            "threeDSServerRefNumber":"ref","threeDSServerURL":"https://server.example/",
            "dsURL":"https://ds.example/","dsReferenceNumber":"DS-REFERENCE",
            "threeDSRequestorAuthenticationInd":"01","sdkTransID":"\(sdk)",
            "sdkAppID":"dbd64fcb-c19a-4728-8849-e3d50bfdde39","sdkMaxTimeout":"05",
            "sdkReferenceNumber":"\(reference)","deviceInfo":"e30","sdkEphemPubKey":\(jwk),
            "deviceRenderOptions":{"sdkInterface":"03","sdkUiType":["01","04"]},
            "purchaseAmount":"4711","purchaseCurrency":"978","purchaseExponent":"2",
            "purchaseDate":"20261122180511","acquirerBIN":"271829",
            "acquirerMerchantID":"0004445001","mcc":"5411","merchantCountryCode":"276",
            "merchantName":"CoffeeHouse2"}
            """
    }

    private static func newID() -> String { UUID().uuidString.lowercased() }
}
