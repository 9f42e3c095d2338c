import StrictJSON
import Testing
import ThreeDSProtocol

/// An AReq as a directory server sends it, with changes.
struct SampleRequest {
    let version: ProtocolVersion
    let channel: DeviceChannel
    let category: MessageCategory
    /// The JSON text of each changed element; nil removes it.
    let changes: [String: String?]

    static let number = "4000056655665556"

    init(
        _ version: ProtocolVersion = .twoTwo,
        _ channel: DeviceChannel = .browser,
        _ category: MessageCategory = .payment,
        _ changes: [String: String?] = [:]
    ) {
        (self.version, self.channel, self.category) = (version, channel, category)
        self.changes = changes
    }

    var document: String {
        var elements = Self.header.merging(ofChannel) { $1 }.merging(ofCategory) { $1 }
        elements["messageVersion"] = #""\#(version.rawValue)""#
        elements["deviceChannel"] = #""\#(channel.rawValue)""#
        elements["messageCategory"] = #""\#(category.rawValue)""#
        for (name, text) in changes { elements[name] = text }
        let members = elements.sorted { $0.key < $1.key }.map { #""\#($0)":\#($1)"# }
        return "{\(members.joined(separator: ","))}"
    }

    /// As a reader of the ACS accepts it.
    func message() throws -> Message {
        try MessageReader(for: .acs).read(Array(document.utf8), as: [.areq], in: .first)
    }

    static let header = [
        "messageType": #""AReq""#, "acctNumber": #""\#(number)""#,
        "threeDSServerTransID": #""8a880dc0-d2d2-4067-bcb1-b08d1690b26e""#,
        "dsTransID": #""4317fdc3-ad24-5443-8000-000000000891""#,
        "threeDSRequestorID": #""requestor""#, "threeDSRequestorName": #""Coffee online""#,
        "threeDSRequestorURL": #""https://shop.example/""#, "threeDSServerRefNumber": #""ref""#,
        "threeDSServerURL": #""https://server.example/""#, "dsURL": #""https://ds.example/""#,
        "dsReferenceNumber": #""DS-REFERENCE""#,
    ]

    private var ofChannel: [String: String] {
        var elements: [String: String] =
            switch channel {
            case .app: Self.ofApp
            case .browser: Self.ofBrowser
            case .requestor: ["threeRIInd": #""03""#]
            }
        if channel != .requestor { elements["threeDSRequestorAuthenticationInd"] = #""01""# }
        guard version == .twoThree else { return elements }
        elements["acquirerCountryCode"] = #""276""#
        elements["acquirerCountryCodeSource"] = #""01""#
        if channel == .app {
            elements["sdkType"] = #""01""#
            elements["defaultSdkType"] = #"{"sdkVariant":"01"}"#
        }
        if channel == .browser { elements["acceptLanguage"] = #"["de"]"# }
        return elements
    }

    private static let ofApp = [
        "sdkTransID": #""b2385523-a66c-4907-ac3c-91848e8c0067""#,
        "sdkAppID": #""dbd64fcb-c19a-4728-8849-e3d50bfdde39""#, "sdkMaxTimeout": #""05""#,
        "sdkReferenceNumber": #""SDK""#, "deviceInfo": #""e30""#,
        "sdkEphemPubKey":
            #"{"kty":"EC","crv":"P-256","x":"\#(coordinate)","y":"\#(coordinate)"}"#,
        "deviceRenderOptions": #"{"sdkInterface":"03","sdkUiType":["01","04"]}"#,
    ]

    private static let coordinate = String(repeating: "A", count: 43)

    private static let ofBrowser = [
        "threeDSCompInd": #""Y""#, "browserAcceptHeader": #""text/html""#,
        "browserUserAgent": #""Browser""#, "browserIP": #""192.0.2.1""#,
        "browserJavascriptEnabled": "true", "browserLanguage": #""en-GB""#,
        "notificationURL": #""https://shop.example/done""#, "browserColorDepth": #""24""#,
        "browserJavaEnabled": "false", "browserScreenHeight": #""1000""#,
        "browserScreenWidth": #""1000""#, "browserTZ": #""-60""#,
    ]

    private var ofCategory: [String: String] {
        category == .payment
            ? [
                "purchaseAmount": #""4711""#, "purchaseCurrency": #""978""#,
                "purchaseExponent": #""2""#, "purchaseDate": #""20261122180511""#,
                "acquirerBIN": #""271829""#, "acquirerMerchantID": #""0004445001""#,
                "mcc": #""5411""#, "merchantCountryCode": #""276""#,
                "merchantName": #""CoffeeHouse2 (Dæmø)""#,
            ] : [:]
    }
}

extension Message {
    func has(_ name: String) -> Bool { self[value: name] != nil }
    var names: Set<String> { Set(members.map(\.name)) }
}
