import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers)
struct `A purchase with an ACS that signs by PS256` {
    private let premises: IssuerPremises

    init() throws { premises = try IssuerPremises(signingBy: "signing-rsa") }

    /// The person approves a challenge in an app that shows all of these texts.
    private func approve(_ members: [String: Any], showing texts: String...) throws {
        let purchase = try Purchase(in: premises, members: members)
        let page = try purchase.creq("show")
        let text = try #require(page.text("cres", "challengeInfoText"))
        let shown = try premises.approve()
        for part in texts {
            #expect(text.contains(part), "\(text)")
            #expect(shown.contains(part), "\(shown)")
        }
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        #expect(try purchase.creq("continue").text("cres", "transStatus") == "Y")
    }

    @Test func `is shown in its currency, which has no minor unit or a long one`() throws {
        try approve(["amount": "471", "currency": "392", "exponent": "0"], showing: "471 JPY")
        try approve(["currency": "414", "exponent": "3"], showing: "4.711 KWD")
        let wrong = try premises.peer.run(
            "areq",
            ["card": IssuerPremises.card, "currency": "392", "exponent": "2"]
        )
        #expect(wrong.problems == [])
        #expect(wrong.text("erro", "errorCode") == "304", "\(wrong.members)")
    }

    @Test func `can begin a series, whose terms the person approves`() throws {
        let overrides: [String: Any] = [
            "threeDSRequestorAuthenticationInd": "02", "recurringFrequency": "28",
            "recurringExpiry": "20361231",
        ]
        let terms = "Repeats: at least 28 days apart, until 2036-12-31"
        let purchase = try Purchase(in: premises, members: ["overrides": overrides])
        let page = try purchase.creq("show")
        let text = try #require(page.text("cres", "challengeInfoText"))
        #expect(text.contains("With later payments: see your device"), "\(text)")
        let shown = try premises.approve().split(separator: "\n").joined(separator: " ")
        let words = shown.split(separator: " ").joined(separator: " ")
        #expect(words.contains("amounts not stated by the shop"), "\(shown)")
        #expect(words.contains(terms) || words.contains(terms.replacing(":", with: "")), "\(shown)")
        #expect(try purchase.result()["transStatus"] as? String == "Y")
    }

    @Test func `can be the confirmation of a card, without a payment`() throws {
        var overrides: [String: Any] = [:]
        for name in ["purchaseAmount", "purchaseCurrency", "purchaseExponent", "purchaseDate"] {
            overrides[name] = NSNull()
        }
        try approve(
            ["category": "02", "overrides": overrides],
            showing: "CoffeeHouse2 (Dæmø)",
            "ending 4651"
        )
    }
}

@Suite(.needsReferenceCheckers) struct `A purchase without a challenge` {
    private let premises: IssuerPremises
    private let programs: IssuerPrograms

    init() throws {
        premises = try IssuerPremises(
            #""decoupled": true, "frictionless": {"currency": "EUR", "count": 2},"#
        )
        programs = try IssuerPrograms(of: premises)
    }

    private func areq(_ members: [String: Any]) throws -> CardPaymentPeer.Report {
        let own = ["card": IssuerPremises.card].merging(members) { $1 }
        let areq = try premises.peer.run("areq", own)
        #expect(areq.problems == [])
        return areq
    }

    /// The verdict about the authentication value in a message.
    private func verdict(_ message: [String: Any]?, _ dsTransID: String, _ units: Int) throws
        -> String?
    {
        let value = try #require(message?["authenticationValue"] as? String)
        let card = try #require(try programs.firstCard())
        let content = """
            {"value":"\(value)","dsTransID":"\(dsTransID)","card":"\(card)",\
            "amount":{"currency":"EUR","minorUnits":\(units)}}
            """
        return try programs.send("POST", "/authentication-values/check", content)["verdict"]
    }

    @Test func `never begins a series (SEC-77)`() throws {
        let terms: [String: Any] = [
            "threeDSRequestorAuthenticationInd": "02", "recurringFrequency": "28",
            "recurringExpiry": "20361231",
        ]
        let areq = try areq(["channel": "browser", "amount": "900", "overrides": terms])
        #expect(areq.text("ares", "transStatus") == "C", "\(areq.members)")
    }

    @Test func `is small, and its value can be used once, up to the amount`() throws {
        for amount in ["3000", "2999"] {
            let areq = try areq(["channel": "browser", "amount": amount])
            #expect(areq.text("ares", "transStatus") == "Y", "\(areq.members)")
            let ares = areq["ares"] as? [String: Any]
            let id = try #require(areq.text("ares", "dsTransID"))
            let units = try #require(Int(amount))
            #expect(try verdict(ares, id, units + 1) == "amountExceeded")
            #expect(try verdict(ares, id, units) == "valid")
            #expect(try verdict(ares, id, units) == "alreadyUsed")
        }
        // Two payments are the limit.
        #expect(try areq(["channel": "app", "amount": "1"]).text("ares", "transStatus") == "C")
        #expect(try premises.peer.run("results")["count"] as? Int == 0)
        #expect(try premises.person.countersign("pending", "--json").output == "")
    }

    @Test func `is decoupled, and the person decides later`() throws {
        let wish = ["threeDSRequestorDecReqInd": "Y", "threeDSRequestorDecMaxTime": "00010"]
        for (version, channel) in [("2.2.0", "browser"), ("2.2.0", "3ri"), ("2.3.1", "app")] {
            let areq = try areq(["channel": channel, "version": version, "overrides": wish])
            #expect(areq.text("ares", "transStatus") == "D", "\(areq.members)")
            #expect(areq.text("ares", "acsDecConInd") == "Y")
            let isRejected = channel == "3ri"
            try spinUntil { try premises.person.countersign("pending", "--json").output != "" }
            try isRejected ? premises.reject() : { try premises.approve() }()
            let transaction = try #require(areq.text("transaction"))
            let members: [String: Any] = ["transaction": transaction, "wait": 15]
            let results = try premises.peer.run("results", members)
            #expect(results.problems == [] && results["count"] as? Int == 1)
            let all = results["results", transaction, "results"] as? [[String: Any]]
            let rreq = try #require(all?.first?["rreq"] as? [String: Any])
            #expect(rreq["transStatus"] as? String == (isRejected ? "N" : "Y"))
            guard !isRejected else { continue }
            let id = try #require(areq.text("ares", "dsTransID"))
            #expect(try verdict(rreq, id, 4711) == "valid")
        }
    }
}
