import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers) struct `An error message of the directory server` {
    private let premises: IssuerPremises

    init() throws {
        premises = try IssuerPremises()
    }

    private func report(_ purchase: Purchase) throws {
        let members: [String: Any] = [
            "transaction": purchase.transaction, "from": "D", "code": "203", "messageType": "ARes",
        ]
        let report = try premises.peer.run("erro", members)
        #expect(report["status"] as? Int == 200 && report["length"] as? Int == 0)
    }

    @Test func `ends a challenge whose first CReq has not come`() throws {
        let purchase = try Purchase(in: premises)
        try report(purchase)
        let refused = try purchase.creq("show")
        #expect(refused.text("erro", "errorCode") == "305", "\(refused.members)")
        let list = try premises.folder.run(
            "audit",
            "list",
            "--authentication",
            purchase.acsTransID
        )
        #expect(list.output.contains("\terrorReceived\t203\n"), "\(list.output)")
        let results = try premises.peer.run("results", ["transaction": purchase.transaction])
        #expect(results.problems == [] && results["count"] as? Int == 0)
        let lines = try premises.stop().log.filter { $0.contains(#""message":"error received""#) }
        #expect(lines.count == 1 && lines[0].contains(#""challengeEnded":true"#), "\(lines)")
    }

    @Test func `changes nothing after the first CReq`() throws {
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        try report(purchase)
        try premises.approve()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        #expect(try purchase.creq("continue").text("cres", "transStatus") == "Y")
    }
}
