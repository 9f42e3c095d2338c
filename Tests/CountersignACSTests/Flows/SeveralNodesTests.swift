import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.enabled(if: ReferenceCheckers.areInstalled && PostgresServer.isInstalled))
struct `Two nodes of an ACS on one PostgreSQL` {
    private let premises: IssuerPremises
    private let second: RunningACS
    private let secondURL: String
    /// For AReqs.
    private let directoryURLs: [String]

    init() throws {
        let connection = try PostgresServer.shared().makeDatabase()
        premises = try IssuerPremises(storingIn: #"{"postgresql": "\#(connection)"}"#)
        let ports = premises.ports
        var configuration = try premises.folder.text("acs.json")
        let port = try freePort()
        let directories = try freePort()
        for (old, new) in [
            (ports.directories, directories), (ports.issuer, try freePort()),
            (ports.operation, try freePort()),
        ] {
            configuration = configuration.replacing("127.0.0.1:\(old)", with: "127.0.0.1:\(new)")
        }
        // The public address stays the one of the first node.
        configuration = configuration.replacing(
            "127.0.0.1:\(ports.challenges)",
            with: "127.0.0.1:\(port)"
        )
        try premises.folder.write(configuration, to: "second.json")
        second = try RunningACS(premises.folder.path("second.json"))
        secondURL = "https://localhost:\(port)/3ds/challenge"
        directoryURLs = [ports.directories, directories].map {
            "https://localhost:\($0)/3ds/authentication"
        }
    }

    @Test func `SEC-98: begin 3 of 100 challenges of a card that come at the same time`() throws {
        let purchases = try ConcurrentPurchases(in: premises)
        #expect(try purchases.outcomes(100, to: directoryURLs) == ["C": 3, "N/04": 97])
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
