import Foundation
import Localization
import StrictJSON
import TestSupport
import Testing
import ThreeDSProtocol
import Transactions

@testable import ThreeDSIssuer

@Suite struct `The request for an approval` {
    private func request(
        _ sample: SampleRequest,
        _ decision: RequestDecision = .challenge,
        policySeconds: Int? = nil,
        by settings: IssuerSettings = IssuerSettings()
    ) throws -> ApprovalRequest? {
        let message = try sample.message()
        return try ApprovalRequest(
            for: message,
            #require(RequestFacts(message, by: settings)),
            SampleWorld.authentication(of: message, decision, by: settings),
            card: SampleWorld.card(),
            policySeconds: policySeconds,
            by: settings
        )
    }

    private func document(_ request: ApprovalRequest) throws -> String {
        String(decoding: try request.document.written(), as: UTF8.self)
    }

    private func challengeRequest(
        _ address: String,
        _ version: ProtocolVersion = .twoTwo
    ) -> Message {
        Message(
            .creq,
            version,
            [.init(name: "threeDSRequestorAppURL", value: .string(address))]
        )
    }

    @Test func `shows a payment with everything that distinguishes it`() throws {
        let request = try #require(try request(SampleRequest()))
        let expected = """
            {"source":"cards","seconds":120,"context":"payment","title":"Card payment",\
            "amounts":[{"currency":"EUR","minorUnits":4711}],\
            "payees":[{"name":"CoffeeHouse2 (Dæmø)",\
            "merchant":"shop 0004445001 of acquirer 271829, Germany"}],\
            "fields":[{"label":"Card","value":"ending 5556"},\
            {"label":"At the shop's clock","value":"2026-11-22 18:05:11 UTC"}],\
            "reference":"2f37539c-d82e-4929-88db-2f9e72c7fa62",\
            "authentication":["userPIN","biometric"]}
            """
        #expect(try document(request) == expected)
        let url = ReturnURL(ofApp: challengeRequest("https://shop.example/back?transID=1"))
        let returning = try #require(url).added(to: request.document.written())
        #expect(
            String(decoding: returning, as: UTF8.self)
                == expected.dropLast() + #","returnURL":"https://shop.example/back?transID=1"}"#
        )
        #expect(request.summary == "47.11 EUR to CoffeeHouse2 (Dæmø)\nCard ending 5556")
    }

    @Test func `shows the confirmation of a card as an action`() throws {
        var settings = IssuerSettings()
        settings.allowsConsent = true
        let changes: [String: String?] = [
            "acquirerBIN": #""271829""#, "acquirerMerchantID": #""0004445001""#,
            "merchantCountryCode": #""276""#, "purchaseAmount": #""999""#,
            "purchaseCurrency": #""978""#, "purchaseExponent": #""2""#,
            "purchaseDate": #""20261122180511""#,
        ]
        let sample = SampleRequest(.twoTwo, .browser, .nonPayment, changes)
        let request = try #require(try request(sample, by: settings))
        let expected = """
            {"source":"cards","seconds":120,"context":"action","title":"Confirm your card",\
            "amounts":[],"payees":[],\
            "fields":[{"label":"Shop","value":"Coffee online"},\
            {"label":"Number of the shop",\
            "value":"shop 0004445001 of acquirer 271829, Germany"},\
            {"label":"Later payment","value":"9.99 EUR"},\
            {"label":"Card","value":"ending 5556"},\
            {"label":"At the shop's clock","value":"2026-11-22 18:05:11 UTC"}],\
            "reference":"2f37539c-d82e-4929-88db-2f9e72c7fa62",\
            "authentication":["userPIN","biometric"]}
            """
        #expect(try document(request) == expected)
        #expect(
            request.summary == "Confirm your card for Coffee online\nCard ending 5556\n"
                + "With later payments: see your device"
        )
        let bare = try #require(try self.request(SampleRequest(.twoTwo, .browser, .nonPayment)))
        #expect(bare.content.fields.map(\.label.text) == ["Shop", "Card"])
        #expect(bare.content.amounts.isEmpty)
    }

    @Test(
        arguments: [
            (
                ProtocolVersion.twoThree,
                [
                    "threeDSRequestorAuthenticationInd": #""02""#,
                    "recurringInd": #"{"amountInd":"01","frequencyInd":"01"}"#,
                    "recurringAmount": #""99900""#, "recurringCurrency": #""840""#,
                    "recurringExponent": #""2""#, "recurringFrequency": #""30""#,
                    "recurringDate": #""20261215""#, "recurringExpiry": #""20310131""#,
                ],
                [
                    "Later payments: 999.00 USD each",
                    "Repeats: at least 30 days apart, from 2026-12-15, until 2031-01-31",
                ],
                "je 999.00 USD"
            ),
            (
                .twoThree,
                [
                    "threeDSRequestorAuthenticationInd": #""02""#,
                    "recurringInd": #"{"amountInd":"02","frequencyInd":"02"}"#,
                ],
                ["Later payments: amounts can differ", "Repeats: at no fixed times"],
                "Beträge können sich ändern"
            ),
            (
                .twoThree,
                [
                    "threeDSRequestorAuthenticationInd": #""02""#,
                    "recurringInd": #"{"amountInd":"02","frequencyInd":"02"}"#,
                    "recurringAmount": #""99900""#, "recurringCurrency": #""840""#,
                    "recurringExponent": #""2""#,
                ],
                [
                    "Later payments: 999.00 USD, amounts can differ", "Repeats: at no fixed times",
                ],
                "999.00 USD, Beträge können sich ändern"
            ),
            (
                .twoTwo,
                [
                    "threeDSRequestorAuthenticationInd": #""03""#, "purchaseInstalData": #""24""#,
                    "recurringFrequency": #""1""#, "recurringExpiry": #""20281231""#,
                ],
                [
                    "Later payments: amounts not stated by the shop",
                    "Repeats: at least 1 day apart, until 2028-12-31", "Instalments: 24",
                ],
                "Beträge vom Händler nicht genannt"
            ),
            (
                .twoThree, ["threeDSRequestorAuthenticationInd": #""07""#],
                [
                    "Later payments: amounts not stated by the shop", "Repeats: at no fixed times",
                ],
                "Beträge vom Händler nicht genannt"
            ),
        ]
    )
    func `shows the payments that the shop can make later`(
        _ version: ProtocolVersion,
        _ changes: [String: String],
        _ lines: [String],
        _ german: String
    ) throws {
        for category in MessageCategory.allCases {
            let sample = SampleRequest(
                version,
                .browser,
                category,
                Self.purchase.merging(changes) { $1 }
            )
            let request = try #require(try request(sample))
            let shown = request.content.fields.map { "\($0.label): \($0.value)" }
            let isLater = { (line: String) in lines.contains { $0 == line } }
            #expect(shown.filter(isLater) == lines, "\(shown)")
            // The amount of a confirmation is that of its next payment.
            let next = shown.filter { $0.hasPrefix("Later payment: ") }
            #expect(next == (category == .payment ? [] : ["Later payment: 47.11 EUR"]))
            #expect(
                request.content.amounts.map(\.formatted)
                    == (category == .payment ? ["47.11 EUR"] : [])
            )
            #expect(request.authentication == [.userPIN, .biometric])
            #expect(request.summary.hasSuffix("\nWith later payments: see your device"))
            var settings = IssuerSettings()
            settings.language = .german
            let inGerman = try #require(try self.request(sample, by: settings))
            #expect(inGerman.content.fields.contains { $0.value.text == german })
        }
    }

    /// Elements of a payment that a confirmation of a card can have, too.
    private static let purchase = [
        "purchaseAmount": #""4711""#, "purchaseCurrency": #""978""#, "purchaseExponent": #""2""#,
        "purchaseDate": #""20261122180511""#,
    ]

    @Test func `is in the language of the issuer`() throws {
        var settings = IssuerSettings()
        settings.language = .german
        let request = try #require(try request(SampleRequest(), by: settings))
        #expect(request.content.title.text == "Kartenzahlung")
        #expect(
            request.content.fields.map { "\($0.label): \($0.value)" } == [
                "Karte: Endziffern 5556", "Uhr des Händlers: 2026-11-22 18:05:11 UTC",
            ]
        )
        #expect(request.summary.hasPrefix("47.11 EUR an CoffeeHouse2 (Dæmø)\nKarte"))
    }

    @Test(
        arguments: [
            ("978", "2", "4711", "47.11 EUR"), ("392", "0", "4711", "4 711 JPY"),
            ("414", "3", "0004711", "4.711 KWD"), ("990", "4", "0", "0.0000 CLF"),
            ("978", "2", "999999999999999", "9 999 999 999 999.99 EUR"),
        ]
    )
    func `has the exact amount`(code: String, exponent: String, amount: String, shown: String)
        throws
    {
        let sample = SampleRequest(
            .twoTwo,
            .browser,
            .payment,
            [
                "purchaseCurrency": "\"\(code)\"", "purchaseExponent": "\"\(exponent)\"",
                "purchaseAmount": "\"\(amount)\"",
            ]
        )
        let request = try #require(try request(sample))
        #expect(request.content.amounts.map(\.formatted) == [shown])
    }

    @Test(arguments: ProtocolVersion.allCases, DeviceChannel.allCases)
    func `can be made for each AReq that the decision lets through`(
        version: ProtocolVersion,
        channel: DeviceChannel
    ) throws {
        for category in MessageCategory.allCases {
            // Such a payment has no amount, and is refused before.
            let isRefused = version == .twoOne && channel == .requestor && category == .payment
            let request = try request(SampleRequest(version, channel, category))
            #expect((request == nil) == isRefused)
        }
    }

    @Test(
        arguments: [
            ("purchaseAmount", #""1000000000000000""#), ("purchaseCurrency", #""979""#),
            ("merchantName", #""\#(String(repeating: "\u{202E}", count: 9))""#),
        ]
    )
    func `is not made if the person would not see the purchase`(
        element: String,
        text: String
    ) throws {
        #expect(try request(SampleRequest(.twoTwo, .app, .payment, [element: text])) == nil)
        let amount: [String: String?] = [
            "purchaseAmount": #""1""#, "purchaseCurrency": #""978""#, "purchaseExponent": #""2""#,
            "purchaseDate": #""20261122180511""#,
        ]
        let changes = amount.merging([element: text]) { $1 }
        #expect(try request(SampleRequest(.twoTwo, .app, .nonPayment, changes)) == nil)
        #expect(try request(SampleRequest(.twoTwo, .app, .nonPayment, amount)) != nil)
    }

    @Test func `includes consent for payments of an issuer that allows it`() throws {
        var settings = IssuerSettings()
        func ways(_ category: MessageCategory) throws -> AuthenticationTypes? {
            try request(SampleRequest(.twoTwo, .app, category), by: settings)?.authentication
        }
        #expect(try ways(.payment) == [.userPIN, .biometric])
        settings.allowsConsent = true
        #expect(try ways(.payment) == .all)
        #expect(try ways(.nonPayment) == [.userPIN, .biometric])
    }

    @Test func `ends with the first of all timers`() throws {
        var settings = IssuerSettings()
        func seconds(_ sample: SampleRequest, _ decision: RequestDecision = .challenge) throws
            -> Int?
        {
            try request(sample, decision, by: settings)?.seconds
        }
        let app = SampleRequest(.twoTwo, .app)
        #expect(try seconds(SampleRequest()) == 120)
        settings.approvalSeconds = 900
        // The page has 600 seconds, and this SDK five minutes.
        #expect(try seconds(SampleRequest()) == 600)
        #expect(try seconds(app) == 300)
        let patient = SampleRequest(.twoTwo, .app, .payment, ["sdkMaxTimeout": #""99""#])
        #expect(try seconds(patient) == 600)
        let changes = [
            "threeDSRequestorDecReqInd": #""Y""#, "threeDSRequestorDecMaxTime": #""00002""#,
        ]
        let decoupled = SampleRequest(.twoTwo, .app, .payment, changes)
        #expect(try seconds(decoupled, .decoupled) == 120)
        #expect(try seconds(decoupled) == 300)
        #expect(try request(app, policySeconds: 90, by: settings)?.seconds == 90)
        #expect(try request(app, policySeconds: 301, by: settings)?.seconds == 300)
        settings.approvalSeconds = 1
        #expect(try seconds(SampleRequest()) == 30)
    }

    @Test(
        arguments: [
            ("https://shop.example/back?transID=1", true), ("https://shop.example", true),
            // Only https, without user, port or fragment: any app can take a scheme.
            ("http://shop.example/", false), ("shop://back", false),
            ("com.shop.app://back", false), ("https://user@shop.example/", false),
            ("https://shop.example:8443/", false), ("https://shop.example/#x", false),
            ("https://SHOP.example/", false), ("", false),
            ("https://shop.example/" + String(repeating: "a", count: 500), false),
        ]
    )
    func `returns to the app by https only`(address: String, isKept: Bool) {
        for version in [ProtocolVersion.twoTwo, .twoThree] {
            let url = ReturnURL(ofApp: challengeRequest(address, version))
            #expect(url?.text == (isKept ? address : nil))
        }
        // Version 2.1.0 does not have the element, and neither does another message.
        #expect(ReturnURL(ofApp: challengeRequest(address, .twoOne)) == nil)
        let other = Message(.areq, .twoTwo, challengeRequest(address).members)
        #expect(ReturnURL(ofApp: other) == nil)
    }

    /// The published schema as the judge, by the Python package `jsonschema`.
    @Test(.enabled(if: Schema.isUsable, "Not run: the Python package jsonschema is missing."))
    func `is a document of the bank's API`() throws {
        var documents: [String] = []
        for category in MessageCategory.allCases {
            let request = try #require(try request(SampleRequest(.twoTwo, .app, category)))
            documents.append(try document(request))
            let url = try #require(ReturnURL(ofApp: challengeRequest("https://shop.example/")))
            let returning = try url.added(to: request.document.written())
            documents.append(String(decoding: returning, as: UTF8.self))
        }
        #expect(try Schema.verdicts(on: documents) == documents.map { _ in "valid" })
        let wrong = documents.map { $0.replacing("payees", with: "payee") }
        #expect(try !Schema.verdicts(on: wrong).contains("valid"))
    }
}

private enum Schema {
    static let isUsable =
        (try? FinishedProcess.run("python3", ["-c", "import jsonschema"]).exitCode) == 0

    private static let program = """
        import json, sys, jsonschema
        api = json.load(open(sys.argv[1]))
        schema = {"$ref": "#/components/schemas/TransactionContent", "components": api["components"]}
        judge = jsonschema.Draft202012Validator(schema)
        for line in sys.stdin:
            error = next(judge.iter_errors(json.loads(line)), None)
            print("valid" if error is None else error.message.replace("\\n", " "))
        """

    static func verdicts(on documents: [String]) throws -> [String] {
        let api = URL(filePath: #filePath).appending(
            path: "../../../../Sources/VerifierServer/OpenAPI/openapi.json"
        )
        let python = try FinishedProcess.run(
            "python3",
            ["-c", program, api.standardized.path],
            input: Array((documents.joined(separator: "\n") + "\n").utf8)
        )
        return python.output.split(separator: "\n").map { String($0) }
    }
}
