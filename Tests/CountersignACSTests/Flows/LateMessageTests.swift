import Foundation
import ProgramTesting
import TestSupport
import Testing

/// An ACS whose clock a test moves, so that the times of the protocol are over.
@Suite(.needsReferenceCheckers) struct `A challenge that is late` {
    private let machine: FaultyMachine
    private let bank: Bank
    private let premises: IssuerPremises

    init() throws {
        machine = try FaultyMachine()
        bank = try Bank()
        premises = try IssuerPremises(#""decoupled": true,"#, of: bank, on: machine)
    }

    private func expectError(_ code: String, to report: CardPaymentPeer.Report) {
        #expect(report.text("erro", "errorCode") == code, "\(report.members)")
    }

    @Test func `ends 30 seconds after the ARes without a CReq`() throws {
        let (app, browser) = (
            try Purchase(in: premises), try Purchase(in: premises, channel: "browser")
        )
        try machine.advance(seconds: 30)
        expectError("402", to: try app.creq("show"))
        for purchase in [app, browser] {
            try purchase.expectEnd([
                "transStatus": "N", "transStatusReason": "14", "challengeCancel": "05",
            ])
        }
    }

    @Test func `ends ten minutes after a page without a CReq`() throws {
        let (app, browser) = (
            try Purchase(in: premises), try Purchase(in: premises, channel: "browser")
        )
        try app.creq("show")
        #expect(try browser.browser("open")["over"] as? Bool == false)
        try machine.advance(seconds: 600)
        expectError("402", to: try app.creq("continue"))
        _ = try browser.result()
        for purchase in [app, browser] {
            try purchase.expectEnd([
                "transStatus": "N", "transStatusReason": "14", "challengeCancel": "04",
            ])
        }
        // The shopper returns to the shop.
        try spinUntil { try browser.browser("state").text("state") == "over" }
        #expect(try browser.browser("show").text("cres", "transStatus") == "N")
    }

    @Test func `has no result of the person if the verifier stays away`() throws {
        let purchase = try Purchase(in: premises)
        try bank.restart {
            #expect(try purchase.creq("show").text("cres", "challengeCompletionInd") == "N")
            try machine.advance(seconds: 600)
            expectError("402", to: try purchase.creq("continue"))
            let result = try purchase.result(wait: 30)
            #expect(result["transStatus"] as? String == "U", "\(result)")
            #expect(result["transStatusReason"] as? String == "22")
        }
    }

    @Test func `ends in a browser with an error if the directory stays away`() throws {
        let purchase = try Purchase(in: premises, channel: "browser")
        try #require(purchase.browser("open")["over"] as? Bool == false)
        _ = try premises.peer.run("directory", ["mode": "refuse"])
        try premises.approve()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        try machine.advance(seconds: 600)
        try spinUntil { try purchase.browser("state").text("state") == "over" }
        expectError("403", to: try purchase.browser("show"))
    }

    @Test func `ends with a reason of its own if it is decoupled`() throws {
        let wish = ["threeDSRequestorDecReqInd": "Y", "threeDSRequestorDecMaxTime": "00010"]
        let areq = try premises.peer.run(
            "areq",
            ["card": IssuerPremises.card, "channel": "browser", "overrides": wish]
        )
        #expect(areq.text("ares", "transStatus") == "D", "\(areq.members)")
        let transaction = try #require(areq.text("transaction"))
        try spinUntil { try premises.person.countersign("pending", "--json").output != "" }
        try machine.advance(seconds: 600)
        let report = try premises.peer.run("results", ["transaction": transaction, "wait": 30])
        #expect(report.problems == [])
        let all = report["results", transaction, "results"] as? [[String: Any]]
        let result = try #require(all?.first?["rreq"] as? [String: Any])
        let end = ["transStatus": "U", "transStatusReason": "26", "challengeCancel": "03"]
        for (name, value) in end {
            #expect(result[name] as? String == value, "\(name): \(result)")
        }
        #expect(try premises.person.countersign("pending", "--json").output == "")
    }

    @Test func `ends in a browser with an error for the same form, after the last page`() throws {
        let purchase = try Purchase(in: premises, channel: "browser")
        try #require(purchase.browser("open")["over"] as? Bool == false)
        try premises.approve()
        try spinUntil { try purchase.browser("state").text("state") == "over" }
        #expect(try purchase.browser("show").text("cres", "transStatus") == "Y")
        #expect(try purchase.browser("repeat").text("cres", "transStatus") == "Y")
        try machine.advance(seconds: 600)
        let late = try purchase.browser("repeat")
        #expect(late["over"] as? Bool == true)
        expectError("305", to: late)
    }

    @Test func `SEC-81: has its key erased at the next start if its time is over`() throws {
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        let folder = CardFolder(of: premises.folder)
        let query = "SELECT COUNT(*) FROM authentications WHERE sealed_key IS NOT NULL"
        #expect(try folder.value(query) == "1")
        premises.crash()
        try machine.advance(seconds: 600)
        try premises.start()
        try spinUntil { try folder.value(query) == "0" }
        expectError("402", to: try purchase.creq("continue"))
    }

    @Test func `is kept if the clock is far ahead at a start`() throws {
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        premises.crash()
        try machine.advance(seconds: 400 * 86_400)
        try premises.start()
        let folder = CardFolder(of: premises.folder)
        let erased = "SELECT COUNT(*) FROM authentications WHERE sealed_key IS NULL"
        try spinUntil { try folder.value(erased) == "1" }
        let log = try premises.crash(by: SIGKILL)
        let lines = log.filter { $0.contains(#""message":"clock far ahead""#) }
        #expect(lines.count == 1 && lines[0].contains(#""lastAuthentication":"20"#), "\(lines)")
    }

    @Test func `ends for the app, while its result waits for the directory`() throws {
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        _ = try premises.peer.run("directory", ["mode": "refuse"])
        try premises.approve()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        try machine.advance(seconds: 600)
        expectError("403", to: try purchase.creq("continue"))
        _ = try premises.peer.run("directory", ["mode": "ok"])
        let challenge = try premises.challenge(of: purchase) { $0.contains(#""state":"ended""#) }
        #expect(challenge.contains(#""status":"Y""#))
        #expect(try purchase.result()["transStatus"] as? String == "Y")
    }

    @Test func `keeps a result in the list that no directory took for a day`() throws {
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        _ = try premises.peer.run("directory", ["mode": "refuse"])
        try premises.approve()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        try machine.advance(seconds: 86_400)
        let challenge = try premises.challenge(of: purchase) { $0.contains(#""givenUp""#) }
        #expect(challenge.contains(#""status":"Y""#) && challenge.contains("undeliveredSince"))
    }
}
