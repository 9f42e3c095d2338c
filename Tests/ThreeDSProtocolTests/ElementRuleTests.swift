import Testing

@testable import StrictJSON
@testable import ThreeDSProtocol

/// Rules of single elements, each with a message that breaks it and one that does not.
@Suite struct `An element` {
    private typealias Changes = [(String, String?)]

    private static func areq(
        _ version: ProtocolVersion,
        to receiver: Component = .acs,
        on channel: DeviceChannel = .browser
    ) -> SampleMessage {
        SampleMessage(.areq, version, to: receiver, on: channel)
    }

    private static func cres(_ version: ProtocolVersion, page: String) -> SampleMessage {
        SampleMessage(
            .cres,
            version,
            to: .sdk,
            on: .app,
            ["acsUiType": page, "challengeCompletionInd": "N"]
        )
    }

    private static func ares(_ version: ProtocolVersion, _ status: String) -> SampleMessage {
        SampleMessage(.ares, version, to: .directory, on: .browser, ["transStatus": status])
    }

    @Test(arguments: ["Y", "U", "N"], [ProtocolVersion.twoOne, .twoTwo])
    func `may be present if it is not required`(status: String, version: ProtocolVersion) throws {
        func verdict(_ mandated: String, _ type: String?) throws -> String {
            try Self.ares(version, status).changed([
                ("acsChallengeMandated", mandated), ("authenticationType", type),
            ]).agreedVerdict()
        }
        #expect(try verdict("\"N\"", nil) == "ok")
        #expect(try verdict("\"N\"", "\"02\"") == "ok")
        #expect(try verdict("\"X\"", "\"79\"") == "203 acsChallengeMandated,authenticationType")
    }

    @Test func `for one receiver is refused by the other one`() throws {
        let id = "\"4317fdc3-ad24-5443-8000-000000000891\""
        let areq = Self.areq(.twoTwo, to: .directory, on: .app)
        #expect(try areq.changed([("dsTransID", id)]).agreedVerdict() == "203 dsTransID")
        #expect(try areq.changed([("deviceInfo", "\"AAAA\"")]).agreedVerdict() == "203 deviceInfo")
        let sent = Self.areq(.twoTwo, to: .acs, on: .app)
        #expect(try sent.changed([("sdkEncData", "\"x\"")]).agreedVerdict() == "203 sdkEncData")
    }

    @Test(
        arguments: [
            (areq(.twoThree), [("unknown", "[1,1]")], "ok"),
            (areq(.twoThree), [("unknown", #"{"a":[[2],[2]]}"#)], "ok"),
            (
                areq(.twoThree),
                [
                    (
                        "messageExtension",
                        #"[{"name":"n","id":"X","criticalityIndicator":false,"data":{"p":[0,0]}}]"#
                    )
                ], "ok"
            ),
            (
                areq(.twoThree),
                [
                    (
                        "threeDSRequestorAuthenticationInfo",
                        #"[{"threeDSReqAuthData":{"p":["a","a"]}}]"#
                    )
                ], "ok"
            ),
            // An element of browsers only.
            (areq(.twoThree, on: .app), [("acceptLanguage", #"["de","de"]"#)], "ok"),
            (areq(.twoThree), [("acceptLanguage", #"["de","de"]"#)], "204 acceptLanguage"),
            (areq(.twoTwo), [("acceptLanguage", #"["de","de"]"#)], "ok"),
            (
                areq(.twoThree),
                [
                    (
                        "multiTransaction",
                        #"{"merchantList":[{"merchantNameListed":"x"},{"merchantNameListed":"x"}]}"#
                    )
                ], "204 multiTransaction.merchantList"
            ),
            (
                areq(.twoThree),
                [("threeDSRequestorChallengeInd", #"["01","01"]"#), ("mcc", nil)],
                "204 threeDSRequestorChallengeInd"
            ),
            (
                cres(.twoThree, page: "02"),
                [("challengeSelectInfo", #"[{"a":"b"},{"a":"b"}]"#)], "204 challengeSelectInfo"
            ),
        ] as [(SampleMessage, [(String, String?)], String)]
    )
    func `of an array has no second one in 2.3.1, except in other parties' data`(
        sample: SampleMessage,
        changes: [(String, String?)],
        expected: String
    ) throws {
        let verdict = try sample.changed(changes).agreedVerdict()
        #expect(verdict == expected)
    }

    @Test(arguments: [ProtocolVersion.twoOne, .twoTwo])
    func `can be HTML for the return from another app`(_ version: ProtocolVersion) throws {
        for page in ["04", "05"] {
            let sample = Self.cres(version, page: page)
            func verdict(_ html: String) throws -> String {
                try sample.changed([("acsHTMLRefresh", html)]).agreedVerdict()
            }
            #expect(try verdict("\"PGh0bWw-\"") == "ok")
            #expect(try verdict("\"<html>\"") == "203 acsHTMLRefresh")
            #expect(try verdict("\"\(String(repeating: "A", count: 102_400))\"") == "ok")
            let long = String(repeating: "A", count: 102_401)
            #expect(try verdict("\"\(long)\"") == "203 acsHTMLRefresh")
        }
    }

    @Test(
        arguments: [
            ("\"5411\"", "ok"), ("\"x411\"", "ok"), ("\"541\"", "203 mcc"),
            ("\"54110\"", "203 mcc"), ("5411", "203 mcc"),
        ]
    )
    func `for the category of the merchant has four characters`(mcc: String, expected: String)
        throws
    {
        #expect(try Self.areq(.twoTwo).changed([("mcc", mcc)]).agreedVerdict() == expected)
    }

    @Test(
        arguments: [
            ("4242424242424242", "ok"), ("4242424242424241", "ok"), ("1234567890123", "ok"),
            ("1234567890123456789", "ok"), ("123456789012", "203 acctNumber"),
            ("12345678901234567890", "203 acctNumber"), ("424242424242424x", "203 acctNumber"),
        ]
    )
    func `for the card has 13 to 19 digits, with or without a check digit`(
        number: String,
        expected: String
    ) throws {
        let judged = Self.areq(.twoTwo).changed([("acctNumber", "\"\(number)\"")])
        #expect(try judged.agreedVerdict() == expected)
    }

    @Test func `for earlier authentications is required after a decoupled one that failed`() throws
    {
        let name = "threeDSRequestorPriorAuthenticationInfo"
        for (indicator, expected) in [("19", "201 \(name)"), ("18", "ok")] {
            let verdict = try Self.areq(.twoThree, on: .requestor).changed([
                ("threeRIInd", "\"\(indicator)\""), (name, nil),
            ]).agreedVerdict()
            #expect(verdict == expected)
        }
    }

    @Test(arguments: [
        (#"{"x":1}"#, "201"), (#"{"payeeName":"x"}"#, "201"),
        (
            #"{"challenge":"\#(challenge)","currency":"EUR","displayName":"x","icon":"x","#
                + #""timeout":"60000","value":"1.00","payeeName":"x"}"#, "ok"
        ),
        (
            #"{"challenge":"\#(challenge)","currency":"EUR","displayName":"x","icon":"x","#
                + #""timeout":"59999","value":"1.00","payeeName":"x"}"#, "203"
        ),
    ])
    func `for a confirmation in the browser has its members`(
        data: String,
        expected: String
    ) throws {
        let sample = Self.ares(.twoThree, "S")
        let verdict = try sample.changed([("spcTransData", data)]).agreedVerdict()
        #expect(verdict.prefix { $0 != " " } == expected)
    }

    private static let challenge = String(repeating: "A", count: 43)

    @Test(arguments: [(ProtocolVersion.twoOne, 2048), (.twoTwo, 20_000)])
    func `for the requestor's own check is bounded`(version: ProtocolVersion, maximum: Int) throws {
        func verdict(_ count: Int) throws -> String {
            let text = String(repeating: "x", count: count)
            return try Self.areq(version).changed([
                ("threeDSRequestorAuthenticationInfo", #"{"threeDSReqAuthData":"\#(text)"}"#)
            ]).agreedVerdict()
        }
        #expect(try verdict(maximum) == "ok")
        let name = "threeDSRequestorAuthenticationInfo.threeDSReqAuthData"
        #expect(try verdict(maximum + 1) == "203 \(name)")
    }

    @Test(
        arguments: [
            ("984", "2"), ("947", "2"), ("948", "2"), ("970", "2"), ("979", "2"), ("997", "2"),
            ("940", "0"),
        ]
    )
    func `can be a currency of funds`(code: String, exponent: String) throws {
        func verdict(_ exponent: String) throws -> String {
            try Self.areq(.twoTwo).changed([
                ("purchaseCurrency", "\"\(code)\""), ("purchaseExponent", "\"\(exponent)\""),
            ]).agreedVerdict()
        }
        #expect(try verdict(exponent) == "ok")
        #expect(try verdict("3") == "304 purchaseCurrency,purchaseExponent")
    }

    @Test func `for the exponent of a listed merchant belongs to its currency`() throws {
        func verdict(_ currency: String, _ exponent: String) throws -> String {
            let merchant =
                #"{"merchantNameListed":"x","merchantAmount":"1","#
                + #""merchantCurrency":"\#(currency)","merchantExponent":"\#(exponent)"}"#
            return try Self.areq(.twoThree).changed([
                ("multiTransaction", #"{"merchantList":[\#(merchant)]}"#)
            ]).agreedVerdict()
        }
        let list = "multiTransaction.merchantList"
        #expect(try verdict("978", "2") == "ok")
        #expect(try verdict("392", "0") == "ok")
        #expect(
            try verdict("392", "2") == "304 \(list).merchantCurrency,\(list).merchantExponent"
        )
    }

    @Test func `for an exponent is not compared in a version that does not have it`() throws {
        let later: [(String, String?)] = [
            ("recurringCurrency", "\"392\""), ("recurringExponent", "\"2\""),
            ("recurringAmount", "\"1\""),
        ]
        #expect(try Self.areq(.twoTwo).changed(later).agreedVerdict() == "ok")
        #expect(
            try Self.areq(.twoThree).changed(later).agreedVerdict()
                == "304 recurringCurrency,recurringExponent"
        )
    }

    /// A range of each version, with all usual elements.
    @Test(arguments: [
        #"{"startRange":"4000000000000000000","endRange":"4000000000000099999","actionInd":"A","#
            + #""acsStartProtocolVersion":"2.1.0","acsEndProtocolVersion":"2.2.0","#
            + #""dsStartProtocolVersion":"2.1.0","dsEndProtocolVersion":"2.2.0","#
            + #""threeDSMethodURL":"https://acs.example/3ds/method","acsInfoInd":["01","02"]}"#,
        #"{"ranges":[{"start":"4000000000000000000","end":"4000000000000099999"}],"#
            + #""actionInd":"A","acsProtocolVersions":[{"version":"2.2.0","#
            + #""acsInfoInd":["01","02"],"threeDSMethodURL":"https://acs.example/3ds/method"}]}"#,
    ])
    func `for the ranges of cards has as many as the message has space for`(_ range: String) throws
    {
        let limits = MessageType.pres.limits
        let bytes = Array(range.utf8)
        let separated = bytes.count + 1
        let row = try #require(
            FieldTable.rows(of: .pres, in: .twoTwo).rows.first { $0.name == "cardRangeData" }
        )
        guard case .array(_, let counts, _) = row.form else {
            Issue.record("not an array")
            return
        }
        let values = try JSONValue(reading: bytes, limits: .message).count
        #expect(counts.upperBound * separated <= limits.byteCount)
        #expect(counts.upperBound * values <= limits.valueCount)
    }

    @Test func `for the ranges of cards has at most 50,000`() throws {
        func verdict(_ count: Int) throws -> String {
            let ranges = Array(repeating: #"{"x":1}"#, count: count).joined(separator: ",")
            let fault = try Refusal.of(
                #"{"messageType":"PRes","messageVersion":"2.2.0","cardRangeData":[\#(ranges)],"#
                    + SampleMessage(.pres, .twoTwo, to: .server, without: ["cardRangeData"])
                    .members.filter { !$0.name.hasPrefix("message") }.document.dropFirst(),
                as: [.pres],
                for: .server,
                in: SampleMessage.facts([:], .twoTwo)
            )
            return "\(fault.code.rawValue) \(fault.detail.prefix { $0 != "," })"
        }
        #expect(try verdict(50_000) == "201 cardRangeData.startRange")
        #expect(try verdict(50_001) == "203 cardRangeData")
    }
}

extension JSONValue {
    /// Each element and each member, and the value itself as an element.
    fileprivate var count: Int {
        switch self {
        case .object(let members): 1 + members.reduce(0) { $0 + $1.value.count }
        case .array(let elements): 1 + elements.reduce(0) { $0 + $1.count }
        default: 1
        }
    }
}
