import Cryptography
import JOSE
import StrictJSON
import ThreeDSProtocol

/// The app of a shop, which makes one purchase with a card of its own.
actor AppPurchase {
    /// The AReq, as the directory server sends it.
    nonisolated let request: [UInt8]
    /// In the range of the ACS.
    nonisolated let card: String
    private let key: P256.PrivateKey
    private var challenge: Challenge?

    private struct Challenge: ~Copyable {
        let request: Message
        var channel: SecureChannel
    }

    init(_ number: Int) throws {
        key = try P256.PrivateKey()
        card = Self.card(number)
        request = try Self.request(number, card, key.publicKey)
    }

    /// Reads an ARes that promises a challenge, and makes the secure channel.
    func accept(_ response: [UInt8], signedBy signer: JWS.VerificationKey) throws {
        let response = try JSONValue(reading: response, limits: MessageType.ares.limits)
        guard response["transStatus"]?.text == "C", let id = response["acsTransID"]?.text,
            let text = response["acsSignedContent"]?.text
        else { throw BenchmarkFailure("the ARes promises no challenge") }
        let token = try JWS(
            reading: Array(text.utf8),
            maximumByteCount: SignedContent.maximumByteCount
        )
        let payload = try token.payload(verifiedBy: signer)
        let content = try JSONValue(reading: payload, limits: MessageType.ares.limits)
        guard let other = content["acsEphemPubKey"] else { throw BenchmarkFailure("no key") }
        let channelKey = try ChannelKey(
            own: key,
            other: P256.PublicKey(jwk: other, for: .encryption(.ecdhES)),
            sdkReferenceNumber: Self.sdkReferenceNumber
        )
        challenge = Challenge(
            request: try Self.challengeRequest(after: response),
            channel: SecureChannel(
                of: .sdk,
                channelKey,
                transactionID: id,
                state: SecureChannel.State(choosing: .a128CBCHS256)
            )
        )
    }

    /// The next encrypted CReq.
    func nextRequest() throws -> [UInt8] {
        guard let request = challenge?.request,
            let text = try challenge?.channel.seal(request)
        else { throw BenchmarkFailure("no challenge") }
        return Array(text.utf8)
    }
}

// MARK: Messages

extension AppPurchase {
    private static let sdkReferenceNumber = "3DS_LOA_SDK_TEST_020200_00001"
    static let cardRange = "4000050000000000-4000059999999999"

    /// The channel writes the counter.
    private static func challengeRequest(after response: JSONValue) throws -> Message {
        let names = ["threeDSServerTransID", "acsTransID", "sdkTransID"]
        let ids = names.map { #""\#($0)":"\#(response[$0]?.text ?? "")""# }
        let document = """
            {"messageType":"CReq","messageVersion":"2.2.0",\(ids.joined(separator: ",")),\
            "sdkCounterStoA":"000"}
            """
        return try MessageReader(for: .acs, versions: [.twoTwo])
            .read(Array(document.utf8), as: [.creq], in: .alone(.twoTwo))
    }

    private static func card(_ number: Int) -> String {
        let digits = "400005" + padded(number, to: 9)
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            let value = digit.element.wholeNumberValue ?? 0
            let doubled = value * 2
            return sum + (digit.offset.isMultiple(of: 2) ? doubled / 10 + doubled % 10 : value)
        }
        return digits + String((10 - sum % 10) % 10)
    }

    private static func padded(_ number: Int, to count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: count - text.count) + text
    }

    private static func request(
        _ number: Int,
        _ card: String,
        _ key: P256.PublicKey
    ) throws -> [UInt8] {
        let end = padded(number, to: 12)
        let jwk = String(decoding: try key.jwk.written(), as: UTF8.self)
        let document = """
            {"messageType":"AReq","messageVersion":"2.2.0","deviceChannel":"01",\
            "messageCategory":"01","threeDSServerTransID":"8a880dc0-d2d2-4067-bcb1-\(end)",\
            "dsTransID":"4317fdc3-ad24-5443-8000-\(end)","threeDSRequestorID":"requestor",\
            "threeDSRequestorName":"Elektromarkt GmbH",\
            "threeDSRequestorURL":"https://www.elektromarkt.example/impressum",\
            "threeDSRequestorAuthenticationInd":"01",\
            "threeDSServerRefNumber":"3DS_LOA_SER_EXPL_020200_00841",\
            "threeDSServerURL":"https://3ds.payments.example/v2/results",\
            "dsURL":"https://directory.example/v2/results","dsReferenceNumber":"DS-REFERENCE",\
            "acctNumber":"\(card)","cardExpiryDate":"2911",\
            "sdkTransID":"b2385523-a66c-4907-ac3c-\(end)",\
            "sdkAppID":"dbd64fcb-c19a-4728-8849-e3d50bfdde39","sdkMaxTimeout":"05",\
            "sdkReferenceNumber":"\(sdkReferenceNumber)","deviceInfo":"e30",\
            "sdkEphemPubKey":\(jwk),\
            "deviceRenderOptions":{"sdkInterface":"03","sdkUiType":["01","04"]},\
            "purchaseAmount":"124950","purchaseCurrency":"978","purchaseExponent":"2",\
            "purchaseDate":"20261127141533","acquirerBIN":"412345",\
            "acquirerMerchantID":"DE-ELEKTROMARKT-0007","mcc":"5732",\
            "merchantCountryCode":"276","merchantName":"Elektromarkt Online-Shop"}
            """
        return Array(document.utf8)
    }
}
