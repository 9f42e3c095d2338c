import Localization
import StrictJSON
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite struct `A CRes` {
    private let page = ChallengePage(
        summary: "47.11 EUR to CoffeeHouse2 (Dæmø)\nCard ending 5556",
        number: nil,
        isMuted: false
    )

    private func judged(
        _ sample: SampleRequest,
        _ make: (CardAuthentication) -> Message
    ) throws -> JudgedMessage {
        let request = try sample.message()
        let isApp = sample.channel == .app
        return JudgedMessage(
            message: make(try SampleWorld.authentication(of: request)),
            receiver: isApp ? .sdk : .server,
            request: request,
            counter: isApp ? "000" : nil
        )
    }

    private var logos: ChallengeLogos {
        get throws {
            func address(_ name: String) throws -> WebAddress {
                try #require(WebAddress("https://bank.example/\(name)", isSandbox: false))
            }
            var logos = ChallengeLogos()
            logos.issuer = Logo(try address("medium"))
            var scheme = Logo(try address("scheme"))
            scheme.high = try address("high")
            scheme.dark = try address("dark")
            scheme.monochrome = try address("monochrome")
            logos.scheme = scheme
            return logos
        }
    }

    private func message(
        _ page: ChallengePage,
        _ version: ProtocolVersion = .twoTwo,
        isRepeated: Bool = false,
        in language: Language = .english
    ) throws -> Message {
        var settings = IssuerSettings()
        settings.language = language
        return try judged(SampleRequest(version, .app)) {
            $0.message(page, isRepeated: isRepeated, by: settings)
        }.message
    }

    @Test func `is accepted by an SDK or a 3DS server`() throws {
        var all: [JudgedMessage] = []
        for version in ProtocolVersion.allCases {
            for category in MessageCategory.allCases {
                let app = SampleRequest(version, .app, category)
                var expired = page
                expired.isExpired = true
                expired.logos = try logos
                for (page, isRepeated) in [(page, false), (page, true), (expired, true)] {
                    all.append(
                        try judged(app) {
                            $0.message(page, isRepeated: isRepeated, by: IssuerSettings())
                        }
                    )
                }
                for channel in [DeviceChannel.app, .browser] {
                    let sample = SampleRequest(version, channel, category)
                    for report in ResultReport.allCases {
                        all.append(try judged(sample) { $0.lastMessage(report.finalStatus) })
                    }
                }
            }
        }
        #expect(all.count == 3 * 2 * (3 + 2 * ResultReport.allCases.count))
        for message in all {
            #expect(try message.verdict() == "ok")
            let unknown: Set = message.receiver == .server ? ["challengeCompletionInd"] : []
            #expect(try message.unknownNames().subtracting(unknown) == [])
        }
        #expect(try JudgedMessage.referenceVerdicts(all) == all.map { _ in "ok" })
    }

    @Test func `shows the purchase and the way on`() throws {
        let message = try message(page)
        #expect(message["challengeCompletionInd"] == "N")
        #expect(message["acsUiType"] == "04")
        #expect(message["challengeInfoHeader"] == "Approve on your device")
        #expect(message["challengeInfoText"] == page.summary)
        #expect(message["oobContinueLabel"] == "I have approved")
        #expect(message["whyInfoLabel"] == "Why is this needed?")
        #expect(!message.has("challengeAddInfo") && !message.has("transStatus"))
    }

    @Test func `has the bank's words, and the images of the bank and the scheme`() throws {
        var settings = IssuerSettings()
        settings.heading = LocalizedText("Example Bank", german: "Musterbank")
        settings.reason = LocalizedText("It is the law.", german: "Das ist Gesetz.")
        var page = page
        page.logos = try logos
        for version in ProtocolVersion.allCases {
            let message = try judged(SampleRequest(version, .app)) {
                $0.message(page, isRepeated: false, by: settings)
            }.message
            #expect(message["challengeInfoHeader"] == "Example Bank")
            #expect(message["whyInfoText"] == "It is the law.")
            let (issuer, scheme) = (message[value: "issuerImage"], message[value: "psImage"])
            if version < .twoThree {
                #expect(issuer?["medium"]?.text == "https://bank.example/medium")
                #expect(issuer?["high"] == nil && scheme?["dark"] == nil)
                #expect(scheme?["high"]?.text == "https://bank.example/high")
            } else {
                #expect(issuer?["default"]?.text == "https://bank.example/medium")
                #expect(scheme?["default"]?.text == "https://bank.example/high")
                #expect(scheme?["dark"]?.text == "https://bank.example/dark")
                #expect(scheme?["monochrome"]?.text == "https://bank.example/monochrome")
            }
        }
    }

    @Test func `is in the language of the issuer`() throws {
        let message = try message(page, isRepeated: true, in: .german)
        #expect(message["challengeInfoHeader"] == "Auf Ihrem Gerät freigeben")
        #expect(message["oobContinueLabel"] == "Ich habe freigegeben")
        #expect(message["challengeAddInfo"]?.hasPrefix("Es gibt noch kein Ergebnis.") == true)
    }

    @Test func `notes on a repeated page that there is no result yet`() throws {
        let note = "There is no result yet. Approve on your device, and continue."
        for version in [ProtocolVersion.twoOne, .twoTwo] {
            let message = try message(page, version, isRepeated: true)
            #expect(message["challengeAddInfo"] == note)
            #expect(message["challengeInfoText"] == page.summary)
        }
        // Version 2.3.1 has no such element.
        let later = try message(page, .twoThree, isRepeated: true)
        #expect(!later.has("challengeAddInfo"))
        #expect(later["challengeInfoText"] == note + "\n" + page.summary)
    }

    @Test func `SEC-87: shows the number to type, and that nothing notifies the person`() throws {
        let page = ChallengePage(summary: page.summary, number: "047", isMuted: true)
        let message = try message(page)
        #expect(
            message["challengeInfoText"] == page.summary + "\nNumber to type: 047\n"
                + "Open your banking app: your device shows no notification."
        )
        let last = try judged(SampleRequest(.twoTwo, .app)) { $0.lastMessage(.authenticated) }
        #expect(try !String(decoding: last.bytes, as: UTF8.self).contains("047"))
    }

    @Test(arguments: Language.allCases)
    func `has space for the longest texts`(language: Language) throws {
        var settings = IssuerSettings()
        settings.language = language
        let changes = [
            "merchantName": #""\#(String(repeating: "\u{202E}", count: 8))""#,
            "purchaseAmount": #""999999999999999""#, "purchaseCurrency": #""978""#,
            "purchaseExponent": #""2""#, "purchaseDate": #""20261122180511""#,
            "threeDSRequestorAuthenticationInd": #""02""#,
            "recurringInd": #"{"amountInd":"02","frequencyInd":"02"}"#,
        ]
        for category in MessageCategory.allCases {
            let sample = SampleRequest(.twoThree, .app, category, changes)
            let request = try sample.message()
            let authentication = try SampleWorld.authentication(of: request)
            let approval = ApprovalRequest(
                for: request,
                try #require(RequestFacts(request, by: settings)),
                authentication,
                card: try SampleWorld.card(),
                by: settings
            )
            let page = ChallengePage(
                summary: try #require(approval).summary,
                number: "123456",
                isMuted: true
            )
            let judged = try judged(sample) {
                $0.message(page, isRepeated: true, by: settings)
            }
            #expect(try judged.verdict() == "ok")
        }
    }

    @Test func `that ends a challenge has nine elements at most`() throws {
        let permitted: Set = [
            "messageType", "messageVersion", "threeDSServerTransID", "acsTransID", "sdkTransID",
            "acsCounterAtoS", "challengeCompletionInd", "transStatus", "messageExtension",
        ]
        for version in ProtocolVersion.allCases {
            let app = try judged(SampleRequest(version, .app)) { $0.lastMessage(.authenticated) }
            #expect(app.message.names.isSubset(of: permitted))
            #expect(app.message["transStatus"] == "Y")
            #expect(app.message["challengeCompletionInd"] == "Y")
            let browser = try judged(SampleRequest(version)) {
                $0.lastMessage(.notAuthenticated)
            }.message
            #expect(browser.names.isSubset(of: permitted.subtracting(["sdkTransID"])))
            #expect(browser["transStatus"] == "N")
            #expect(browser.has("challengeCompletionInd") == (version < .twoThree))
        }
    }

    @Test func `never ends a challenge undetermined`() throws {
        let last = try judged(SampleRequest(.twoTwo, .app)) { $0.lastMessage(.undetermined) }
        #expect(last.message["transStatus"] == "N")
    }
}
