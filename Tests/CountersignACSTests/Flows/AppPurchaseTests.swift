import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers) struct `A purchase in an app` {
    private let premises: IssuerPremises
    private var peer: CardPaymentPeer { premises.peer }

    init() throws {
        premises = try IssuerPremises()
    }

    @Test(arguments: ["A128CBC-HS256", "A128GCM"])
    func `is approved with countersign`(_ cipher: String) throws {
        for version in ["2.1.0", "2.2.0", "2.3.1"] {
            let purchase = try Purchase(in: premises, version: version, cipher: cipher)
            let page = try purchase.creq("show")
            #expect(page.text("cres", "challengeCompletionInd") == "N", "\(page.members)")
            let shown = try premises.approve()
            #expect(shown.contains("47.11 EUR") && shown.contains("ending 4651"), "\(shown)")
            #expect(try purchase.result()["transStatus"] as? String == "Y")
            let end = try purchase.creq("continue")
            #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
        }
    }

    @Test func `SEC-86: is rejected, because the person did not make it`() throws {
        let purchase = try Purchase(in: premises, cipher: "A128GCM")
        _ = try purchase.creq("show")
        try premises.reject("--not-me")
        let result = try purchase.result()
        #expect(result["transStatus"] as? String == "N")
        #expect(result["transStatusReason"] as? String == "11")
        #expect(try purchase.creq("continue").text("cres", "transStatus") == "N")
    }

    @Test func `is cancelled in the app, and leaves the device`() throws {
        let purchase = try Purchase(in: premises, cipher: "A128GCM")
        _ = try purchase.creq("show")
        let end = try purchase.creq("cancel")
        #expect(end.text("cres", "transStatus") == "N", "\(end.members)")
        #expect(try purchase.result()["challengeCancel"] as? String == "01")
        let pending = try premises.person.countersign("pending", "--json")
        #expect(pending.output == "")
    }

    @Test func `repeats its response to a repeated request`() throws {
        let purchase = try Purchase(in: premises, cipher: "A128GCM")
        _ = try purchase.creq("show")
        let repeated = try purchase.creq("show", ["mutate": "repeat"])
        #expect(repeated["identical"] as? Bool == true)
        _ = try purchase.creq("continue", ["mutate": "twice"])
    }

    @Test func `refuses a request that is cut, or not encrypted, and goes on`() throws {
        for (mutation, code) in [("cut:40", "302"), ("plain", "101")] {
            let purchase = try Purchase(in: premises, cipher: "A128GCM")
            _ = try purchase.creq("show")
            let error = try purchase.creq("continue", ["mutate": mutation])
            #expect(error.text("erro", "errorCode") == code, "\(mutation): \(error.members)")
            // A stranger can send such a text, so the challenge goes on.
            let page = try purchase.creq("continue")
            #expect(page.text("cres", "challengeCompletionInd") == "N", "\(page.members)")
        }
    }

    @Test func `ends when the app reports a timeout`() throws {
        let purchase = try Purchase(in: premises, cipher: "A128GCM")
        _ = try purchase.creq("show")
        let report = try peer.run("erro", ["transaction": purchase.transaction, "code": "402"])
        #expect(report.problems == [])
        #expect(try purchase.result()["challengeCancel"] as? String == "06")
    }

    @Test func `SEC-84: leaves the bank's own requests alone, however often it is made`() throws {
        var statuses: [String?: Int] = [:]
        for _ in 0..<100 {
            let areq = try peer.run("areq", ["card": IssuerPremises.card, "channel": "app"])
            #expect(areq.problems == [])
            let status = areq.text("ares", "transStatus")
            statuses[status, default: 0] += 1
            guard status == "C" else { continue }
            let transaction = try #require(areq.members["transaction"])
            _ = try peer.run("creq", ["transaction": transaction, "action": "show"])
        }
        #expect(statuses == ["C": 3, "N": 97])
        let payment = try premises.person.newPayment()
        #expect(try premises.person.state(of: payment) == "pending")
    }

    @Test func `SEC-98: takes long messages, and none that are too long`() throws {
        func areq(_ count: Int) throws -> CardPaymentPeer.Report {
            let overrides = ["unknown": String(repeating: "a", count: count)]
            let members: [String: Any] = ["card": IssuerPremises.card, "overrides": overrides]
            return try peer.run("areq", members)
        }
        let long = try areq(200_000)
        #expect(long.text("ares", "transStatus") == "C", "\(long.members)")
        let tooLong = try areq(300_000)
        #expect(tooLong["status"] as? Int == 413, "\(tooLong.members)")
    }

    @Test func `SEC-74: is refused for another client certificate`() throws {
        let pki = premises.folder.path("pki")
        let other = ["certificate": "\(pki)/acs-client.pem", "key": "\(pki)/acs-client.key"]
        let areq = try peer.run("areq", ["card": IssuerPremises.card, "client": other])
        #expect(areq.text("erro", "errorCode") == "303", "\(areq.members)")
        let none = try peer.run("areq", ["card": IssuerPremises.card, "client": [String: Any]()])
        #expect(none.text("kind") == "unreachable", "\(none.members)")
    }
}
