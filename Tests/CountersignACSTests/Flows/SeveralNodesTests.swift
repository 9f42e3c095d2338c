import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(
    .needsReferenceCheckers,
    .enabled(if: PostgresServer.isInstalled, "PostgreSQL is not installed")
)
struct `Two nodes of an ACS on one PostgreSQL` {
    private let premises: IssuerPremises
    private let second: SecondNode
    private let secondURL: String

    init() throws {
        let connection = try PostgresServer.shared().makeDatabase()
        premises = try IssuerPremises(storingIn: #"{"postgresql": "\#(connection)"}"#)
        second = try SecondNode(of: premises)
        secondURL = second.ports.challengeURL
    }

    @Test func `SEC-98: begin 3 of 100 challenges of a card that come at the same time`() throws {
        let purchases = try ConcurrentPurchases(in: premises)
        let urls = [premises.ports, second.ports].map(\.directoryURL)
        #expect(try purchases.outcomes(100, to: urls) == ["C": 3, "N/04": 97])
    }

    @Test(arguments: ["A128CBC-HS256", "A128GCM"])
    func `process the requests of one challenge in turn`(_ cipher: String) throws {
        let purchase = try Purchase(in: premises, cipher: cipher)
        for round in 0..<6 {
            let members = round.isMultiple(of: 2) ? [:] : ["url": secondURL]
            let action = round == 0 ? "show" : "continue"
            let page = try purchase.creq(action, members)
            #expect(page.text("cres", "challengeCompletionInd") == "N", "\(page.members)")
            // The other node has the same response.
            let other = round.isMultiple(of: 2) ? ["url": secondURL] : [:]
            let repeated = try purchase.creq(action, other.merging(["mutate": "repeat"]) { $1 })
            #expect(repeated["identical"] as? Bool == true, "\(round)")
        }
        try premises.approve()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        let end = try purchase.creq("continue", ["url": secondURL])
        #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
    }

    @Test func `send one result, also after one of them has ended`() throws {
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        premises.crash()
        try premises.approve()
        #expect(try purchase.result(wait: 30)["transStatus"] as? String == "Y")
        let end = try purchase.creq("continue", ["url": secondURL])
        #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
    }
}
