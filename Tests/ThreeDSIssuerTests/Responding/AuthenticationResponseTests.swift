import StrictJSON
import Testing
import ThreeDSProtocol

@testable import ThreeDSIssuer

/// An AReq that permits a response, and the response.
private struct Exchange {
    let request: Message
    let response: AuthenticationResponse
    let authentication: CardAuthentication

    init(_ sample: SampleRequest, _ response: AuthenticationResponse) throws {
        request = try sample.message()
        self.response = response
        let decision: RequestDecision =
            if case .decoupled = response { .decoupled } else { .challenge }
        authentication = try SampleWorld.authentication(of: request, decision)
    }

    var message: Message {
        authentication.message(response, to: request, by: IssuerSettings())
    }

    var judged: JudgedMessage {
        JudgedMessage(message: message, receiver: .directory, request: request)
    }

    /// Every response that an ACS can send, in every version, on every channel.
    static func all() throws -> [Exchange] {
        var all: [Exchange] = []
        for version in ProtocolVersion.allCases {
            for channel in DeviceChannel.allCases {
                for category in MessageCategory.allCases {
                    for (response, changes) in try responses(version, channel) {
                        let sample = SampleRequest(version, channel, category, changes)
                        all.append(try Exchange(sample, response))
                    }
                }
            }
        }
        return all
    }

    private static func responses(
        _ version: ProtocolVersion,
        _ channel: DeviceChannel
    ) throws -> [(AuthenticationResponse, [String: String?])] {
        let value = try AuthenticationValue.sample()
        var responses: [(AuthenticationResponse, [String: String?])] = Refusal.allCases.map {
            (.refused($0), [:])
        }
        responses.append((.frictionless(value, .authenticated), [:]))
        if version >= .twoTwo {
            let time = ["threeDSRequestorDecMaxTime": #""00010""#]
            let wish = ["threeDSRequestorDecReqInd": #""Y""#]
            responses.append((.decoupled, time.merging(wish) { $1 }))
            // Up to version 2.2.0, a requestor without a device has no such wish.
            if version == .twoThree || channel != .requestor {
                let data = version == .twoTwo ? #""06""# : #"["06"]"#
                responses.append((.informationOnly, ["threeDSRequestorChallengeInd": data]))
            }
        }
        switch channel {
        case .app: responses.append((.challenge(.app(signedContent: "a.b.c")), [:]))
        case .browser:
            responses.append((.challenge(.browser(acsURL: "https://acs.example/")), [:]))
        case .requestor: break
        }
        return responses
    }
}

@Suite struct `An ARes` {
    @Test func `is accepted by a directory server for each decision`() throws {
        let exchanges = try Exchange.all()
        #expect(exchanges.count == 2 * (3 * 15 - 1 + 3 * 17 - 2 + 3 * 17 - 1))
        for exchange in exchanges {
            let verdict = try exchange.judged.verdict()
            #expect(verdict == "ok", "\(exchange.response) \(exchange.authentication)")
        }
        let judged = exchanges.map(\.judged)
        #expect(try JudgedMessage.referenceVerdicts(judged) == judged.map { _ in "ok" })
    }

    @Test func `has only elements of its version, channel and category`() throws {
        for exchange in try Exchange.all() {
            #expect(try exchange.judged.unknownNames() == [], "\(exchange.authentication)")
        }
    }

    @Test func `has its status, and a reason of the version`() throws {
        for exchange in try Exchange.all() {
            guard case .refused(let refusal) = exchange.response else {
                #expect(!exchange.message.has("transStatusReason"))
                continue
            }
            let version = exchange.request.version
            #expect(exchange.message["transStatus"] == refusal.status.rawValue)
            let reason = refusal.reason(in: version).rawValue
            #expect(exchange.message["transStatusReason"] == reason)
        }
        let texts = Refusal.allCases.map { refusal in
            let reasons = [ProtocolVersion.twoOne, .twoTwo].map { refusal.reason(in: $0).rawValue }
            return refusal.status.rawValue + " " + reasons.joined(separator: " ")
        }
        let expected = [
            "N 08 08", "N 12 12", "N 20 20", "N 21 21", "N 13 13", "N 04 04", "N 04 04",
            "U 07 22", "U 07 22", "U 03 03", "N 07 07", "N 07 07", "U 07 22",
        ]
        #expect(texts == expected)
    }

    @Test func `has a value only with Y, and an indicator also with a rejected payment`() throws {
        for exchange in try Exchange.all() {
            let message = exchange.message
            #expect(message.has("authenticationValue") == (message["transStatus"] == "Y"))
            let isPayment = exchange.request["messageCategory"] == "01"
            let expected = ["Y": "05", "N": isPayment ? "07" : nil][message["transStatus"] ?? ""]
            #expect(message["eci"] == expected ?? nil)
        }
    }

    @Test func `promises the page of an approval on another device`() throws {
        let app = try Exchange(
            SampleRequest(.twoTwo, .app),
            .challenge(.app(signedContent: "a.b.c"))
        ).message
        #expect(app["authenticationType"] == "03")
        #expect(app["acsChallengeMandated"] == "Y")
        #expect(app[value: "acsRenderingType"]?["acsInterface"]?.text == "01")
        #expect(app[value: "acsRenderingType"]?["acsUiTemplate"]?.text == "04")
        #expect(app["acsSignedContent"] == "a.b.c")
        #expect(app["acsReferenceNumber"] == "COUNTERSIGN-TEST-0001")
        #expect(app["dsReferenceNumber"] == "DS-REFERENCE")
        #expect(app["sdkTransID"] == "b2385523-a66c-4907-ac3c-91848e8c0067")
        #expect(app["acsTransID"] == SampleWorld.acsTransID)
        let later = try Exchange(
            SampleRequest(.twoThree, .browser),
            .challenge(.browser(acsURL: "https://acs.example/"))
        ).message
        let methods = later[value: "authenticationMethod"]?.elements.compactMap(\.text)
        #expect(methods == ["07", "09"])
        #expect(!later.has("authenticationType") && !later.has("sdkTransID"))
        #expect(later["acsURL"] == "https://acs.example/")
    }

    @Test func `confirms a later approval, also to the cardholder`() throws {
        let changes: [String: String?] = [
            "threeDSRequestorDecReqInd": #""Y""#, "threeDSRequestorDecMaxTime": #""00010""#,
        ]
        for version in [ProtocolVersion.twoTwo, .twoThree] {
            let sample = SampleRequest(version, .requestor, .payment, changes)
            let message = try Exchange(sample, .decoupled).message
            #expect(message["transStatus"] == "D")
            #expect(message["acsDecConInd"] == "Y")
            #expect(message["authenticationType"] == (version == .twoTwo ? "04" : nil))
            let methods = message[value: "authenticationMethod"]?.elements.compactMap(\.text)
            #expect(methods == (version == .twoTwo ? nil : ["07", "09", "12"]))
            let info = message[value: "cardholderInfo"]
            let text = try #require(info?.text ?? info?["text"]?.text)
            #expect(text.hasPrefix("Your bank sends the request to your device."))
        }
    }

    /// The reader is not one that accepts everything.
    @Test func `with a status that the AReq does not permit is refused`() throws {
        let shared = ["threeDSRequestorChallengeInd": #""06""#]
        let challenge = try Exchange(
            SampleRequest(.twoTwo, .browser, .payment, shared),
            .challenge(.browser(acsURL: "https://acs.example/"))
        )
        #expect(try challenge.judged.verdict() == "203 transStatus")
        let decoupled = try Exchange(SampleRequest(), .decoupled)
        #expect(try decoupled.judged.verdict() == "203 transStatus,acsDecConInd")
        let information = try Exchange(SampleRequest(), .informationOnly)
        #expect(try information.judged.verdict() == "203 transStatus")
    }

    @Test(
        arguments: [
            (ProtocolVersion.twoTwo, "whiteListStatus", #""08""#),
            (.twoTwo, "whiteListStatus", #""09""#), (.twoThree, "trustListStatus", #"["08"]"#),
        ]
    )
    func `refuses a wish for a trust list: no shop is eligible`(
        version: ProtocolVersion,
        name: String,
        wish: String
    ) throws {
        let refused = AuthenticationResponse.refused(.notReady)
        let changes = [
            ["threeDSRequestorChallengeInd": wish],
            [name: #""Y""#, name + "Source": #""01""#],
        ]
        for changes in changes {
            let sample = SampleRequest(version, .browser, .payment, changes)
            let exchange = try Exchange(sample, refused)
            #expect(exchange.message[name] == "E")
            #expect(exchange.message[name + "Source"] == "03")
            #expect(try exchange.judged.verdict() == "ok")
            #expect(try exchange.judged.unknownNames() == [])
        }
        #expect(try !Exchange(SampleRequest(version), refused).message.has(name))
    }

    @Test func `has an identifier of the SDK only in an app`() throws {
        // In a browser, the element is unknown and not checked.
        let sample = SampleRequest(
            .twoTwo,
            .browser,
            .payment,
            ["sdkTransID": #""b2385523-a66c-4907-ac3c-91848e8c0067""#]
        )
        #expect(try !Exchange(sample, .refused(.notReady)).message.has("sdkTransID"))
    }

    @Test func `has the identifiers of its transaction, in lower and upper case`() throws {
        let id = "4317FDC3-AD24-5443-8000-00000000089A"
        let sample = SampleRequest(.twoTwo, .browser, .payment, ["dsTransID": "\"\(id)\""])
        let message = try Exchange(sample, .refused(.notReady)).message
        #expect(message["dsTransID"] == id)
    }
}
