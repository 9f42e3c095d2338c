import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.enabled(if: ReferenceCheckers.areInstalled)) struct `A purchase in an app` {
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

    @Test func `is rejected, because the person did not make it`() throws {
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

    @Test(
        arguments: [
            "counter", "again", "kid:none", "key", "nonce", "direction", "cipher", "parts",
            "cut:40",
            "flip:-5", "plain",
        ]
    )
    func `ends if a request is not authentic`(_ mutation: String) throws {
        let purchase = try Purchase(in: premises, cipher: "A128GCM")
        _ = try purchase.creq("show")
        let error = try purchase.creq("continue", ["mutate": mutation])
        #expect(error.text("kind") == "Erro", "\(error.members)")
    }

    @Test func `ends when the app reports a timeout`() throws {
        let purchase = try Purchase(in: premises, cipher: "A128GCM")
        _ = try purchase.creq("show")
        let report = try peer.run("erro", ["transaction": purchase.transaction, "code": "402"])
        #expect(report.problems == [])
        #expect(try purchase.result()["challengeCancel"] as? String == "08")
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
