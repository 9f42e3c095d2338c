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

    private func transaction(_ version: String = "2.2.0") throws -> Any {
        let areq = try peer.run(
            "areq",
            ["card": IssuerPremises.card, "channel": "app", "version": version]
        )
        #expect(areq.problems == [])
        #expect(areq.text("ares", "transStatus") == "C", "\(areq.members)")
        return try #require(areq.members["transaction"])
    }

    private func creq(
        _ transaction: Any,
        _ action: String,
        _ members: [String: Any] = [:]
    ) throws -> CardPaymentPeer.Report {
        let own: [String: Any] = ["transaction": transaction, "action": action]
        let report = try peer.run("creq", own.merging(members) { $1 })
        #expect(report.problems == [])
        return report
    }

    private func result(of transaction: Any) throws -> [String: Any] {
        let report = try peer.run("results", ["transaction": transaction, "wait": 15])
        #expect(report.problems == [])
        #expect(report["count"] as? Int == 1, "\(report.members)")
        let all = try #require(report["results"] as? [String: [String: Any]])
        let results = try #require(all.values.first?["results"] as? [[String: Any]])
        return try #require(results.first?["rreq"] as? [String: Any])
    }

    @Test(arguments: ["A128CBC-HS256", "A128GCM"])
    func `is approved with countersign`(_ cipher: String) throws {
        for version in ["2.1.0", "2.2.0", "2.3.1"] {
            let transaction = try transaction(version)
            let page = try creq(transaction, "show", ["cipher": cipher])
            #expect(page.text("cres", "challengeCompletionInd") == "N", "\(page.members)")
            let shown = try premises.approve()
            #expect(shown.contains("47.11 EUR") && shown.contains("ending 7899"), "\(shown)")
            #expect(try result(of: transaction)["transStatus"] as? String == "Y")
            let end = try creq(transaction, "continue")
            #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
        }
    }

    @Test func `is rejected, because the person did not make it`() throws {
        let transaction = try transaction()
        _ = try creq(transaction, "show")
        try premises.reject("--not-me")
        let result = try result(of: transaction)
        #expect(result["transStatus"] as? String == "N")
        #expect(result["transStatusReason"] as? String == "11")
        #expect(try creq(transaction, "continue").text("cres", "transStatus") == "N")
    }

    @Test func `is cancelled in the app, and leaves the device`() throws {
        let transaction = try transaction()
        _ = try creq(transaction, "show")
        let end = try creq(transaction, "cancel")
        #expect(end.text("cres", "transStatus") == "N", "\(end.members)")
        #expect(try result(of: transaction)["challengeCancel"] as? String == "01")
        let pending = try premises.person.countersign("pending", "--json")
        #expect(pending.output == "")
    }

    @Test func `repeats its response to a repeated request`() throws {
        let transaction = try transaction()
        _ = try creq(transaction, "show", ["cipher": "A128GCM"])
        let repeated = try creq(transaction, "show", ["mutate": "repeat"])
        #expect(repeated["identical"] as? Bool == true)
        _ = try creq(transaction, "continue", ["mutate": "twice"])
    }

    @Test(
        arguments: [
            "counter", "again", "kid:none", "key", "nonce", "direction", "cipher", "parts", "cut:40",
            "flip:-5", "plain",
        ]
    )
    func `ends if a request is not authentic`(_ mutation: String) throws {
        let transaction = try transaction()
        _ = try creq(transaction, "show", ["cipher": "A128GCM"])
        let error = try creq(transaction, "continue", ["mutate": mutation])
        #expect(error.text("kind") == "Erro", "\(error.members)")
    }

    @Test func `ends when the app reports a timeout`() throws {
        let transaction = try transaction()
        _ = try creq(transaction, "show")
        let report = try peer.run("erro", ["transaction": transaction, "code": "402"])
        #expect(report.problems == [])
        #expect(try result(of: transaction)["challengeCancel"] as? String == "08")
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
