import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.enabled(if: ReferenceCheckers.areInstalled)) struct `A purchase in an app` {
    @Test(arguments: ["2.1.0", "2.2.0", "2.3.1"])
    func `is approved with countersign`(_ version: String) throws {
        let premises = try IssuerPremises()
        let peer = premises.peer
        let areq = try peer.run(
            "areq",
            ["card": IssuerPremises.card, "channel": "app", "version": version]
        )
        #expect(areq.problems == [])
        #expect(areq.text("ares", "transStatus") == "C", "\(areq.members)")
        let transaction = try #require(areq.members["transaction"])
        let page = try peer.run("creq", ["transaction": transaction, "action": "show"])
        #expect(page.problems == [])
        #expect(page.text("cres", "challengeCompletionInd") == "N", "\(page.members)")
        let shown = try premises.approve()
        #expect(shown.contains("47.11 EUR") && shown.contains("ending 7899"), "\(shown)")
        let results = try peer.run("results", ["transaction": transaction, "wait": 10])
        #expect(results.problems == [])
        let end = try peer.run("creq", ["transaction": transaction, "action": "continue"])
        #expect(end.problems == [])
        #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
    }
}
