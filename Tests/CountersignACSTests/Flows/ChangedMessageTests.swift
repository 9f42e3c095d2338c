import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Messages that were changed on the way, or that belong to something else.
@Suite(.needsReferenceCheckers) struct `A challenge with a changed message` {
    private let premises: IssuerPremises

    /// The result of a transaction with an error.
    private let failure = ["transStatus": "U", "transStatusReason": "22", "challengeCancel": "06"]

    init() throws { premises = try IssuerPremises() }

    private func purchaseWithPage() throws -> Purchase {
        let purchase = try Purchase(in: premises, cipher: "A128GCM")
        try purchase.creq("show")
        return purchase
    }

    private func expectPage(of purchase: Purchase) throws {
        let page = try purchase.creq("continue")
        #expect(page.text("cres", "challengeCompletionInd") == "N", "\(page.members)")
    }

    /// Sends a message whose error has identifiers of another challenge.
    private func error(
        to purchase: Purchase,
        _ members: [String: Any]
    ) throws -> CardPaymentPeer.Report {
        let own = ["transaction": purchase.transaction, "action": "continue"]
        return try premises.peer.run("creq", own.merging(members) { $1 })
    }

    @Test(arguments: [
        ["counter", "counter:255", "again", "key"], ["nonce", "direction", "cipher", "flip:-5"],
    ])
    func `ends, and takes the request back`(_ mutations: [String]) throws {
        for mutation in mutations {
            let purchase = try purchaseWithPage()
            let error = try purchase.creq("continue", ["mutate": mutation])
            #expect(error.text("erro", "errorCode") == "302", "\(mutation): \(error.members)")
            #expect(error.text("erro", "acsTransID") == purchase.acsTransID)
            try purchase.expectEnd(failure)
            // Nothing can follow, also no message that is authentic.
            let later = try purchase.creq("continue")
            #expect(later.text("erro", "errorCode") == "305", "\(mutation): \(later.members)")
        }
    }

    @Test func `goes on if the message does not name it`() throws {
        let purchase = try purchaseWithPage()
        for (mutation, code) in [
            ("kid:none", "302"), ("parts", "302"), ("kid", "301"), (#"header:zip="DEF""#, "302"),
            (#"header:alg="A128KW""#, "302"), (#"header:crit=["exp"]"#, "302"),
        ] {
            let error = try purchase.creq("continue", ["mutate": mutation])
            #expect(error.text("erro", "errorCode") == code, "\(mutation): \(error.members)")
            try expectPage(of: purchase)
        }
    }

    @Test func `ends if another one's message names it, which goes on`() throws {
        let (first, second) = (try purchaseWithPage(), try purchaseWithPage())
        let error = try error(to: first, ["mutate": "kid:\(second.acsTransID)"])
        #expect(error.text("erro", "errorCode") == "302", "\(error.members)")
        #expect(try second.result()["challengeCancel"] as? String == "06")
        try expectPage(of: first)
        try premises.approve()
        #expect(try first.result()["transStatus"] as? String == "Y")
    }

    @Test(arguments: ["threeDSServerTransID", "acsTransID"])
    func `ends if an identifier inside is that of another one`(_ name: String) throws {
        let (first, second) = (try purchaseWithPage(), try purchaseWithPage())
        let value = name == "acsTransID" ? second.acsTransID : second.serverTransID
        let error = try error(to: first, ["overrides": [name: value]])
        #expect(error.text("erro", "errorCode") == "301", "\(error.members)")
        #expect(try first.result()["challengeCancel"] as? String == "06")
        try expectPage(of: second)
    }

    @Test func `ends with another error of the app`() throws {
        let purchase = try purchaseWithPage()
        let erro: [String: Any] = ["transaction": purchase.transaction, "code": "101"]
        let report = try premises.peer.run("erro", erro)
        #expect(report.problems == [] && report["status"] as? Int == 200)
        try purchase.expectEnd(failure)
    }

    @Test func `has one ARes, also if its AReq comes again with other content`() throws {
        let purchase = try Purchase(in: premises, cipher: "A128GCM")
        let again: [String: Any] = ["card": IssuerPremises.card, "repeat": purchase.transaction]
        let same = try premises.peer.run("areq", again)
        #expect(same.problems == [] && same["identical"] as? Bool == true)
        let changes = ["overrides": ["purchaseAmount": "4712"]]
        let other = try premises.peer.run("areq", again.merging(changes) { $1 })
        #expect(other.problems == [])
        #expect(other.text("erro", "errorCode") == "301", "\(other.members)")
        try purchase.creq("show")
        #expect(try premises.approve().contains("47.11 EUR"))
        #expect(try purchase.result()["transStatus"] as? String == "Y")
    }
}
