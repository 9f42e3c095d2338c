import Foundation
import ProgramTesting
import TestSupport
import Testing

/// A purchase that the peer makes, with a challenge.
struct Purchase {
    let premises: IssuerPremises
    let transaction: Any
    let acsTransID: String
    let serverTransID: String
    private let cipher: String

    /// Longer than an SDK waits, in seconds: other tests can keep the processors busy.
    private static let timeout = 20

    init(
        in premises: IssuerPremises,
        channel: String = "app",
        version: String = "2.2.0",
        cipher: String = "A128CBC-HS256",
        members: [String: Any] = [:]
    ) throws {
        (self.premises, self.cipher) = (premises, cipher)
        let own: [String: Any] = [
            "card": IssuerPremises.card, "channel": channel, "version": version,
            "timeout": Self.timeout,
        ]
        let areq = try premises.peer.run("areq", own.merging(members) { $1 })
        #expect(areq.problems == [])
        #expect(areq.text("ares", "transStatus") == "C", "\(areq.members)")
        transaction = try #require(areq.members["transaction"])
        acsTransID = try #require(areq.text("ares", "acsTransID"))
        serverTransID = try #require(areq.text("ares", "threeDSServerTransID"))
    }

    /// A message of the app.
    @discardableResult
    func creq(
        _ action: String,
        _ members: [String: Any] = [:]
    ) throws -> CardPaymentPeer.Report {
        let own: [String: Any] = [
            "transaction": transaction, "action": action, "cipher": cipher,
            "timeout": Self.timeout,
        ]
        let report = try premises.peer.run("creq", own.merging(members) { $1 })
        #expect(report.problems == [])
        return report
    }

    /// A step of the browser.
    func browser(
        _ action: String,
        _ members: [String: Any] = [:]
    ) throws -> CardPaymentPeer.Report {
        let own: [String: Any] = ["transaction": transaction, "action": action, "wait": 20]
        let report = try premises.peer.run("browser", own.merging(members) { $1 })
        #expect(report.problems == [])
        return report
    }

    /// Expects an RReq with these members, and that the device has nothing to decide.
    func expectEnd(_ members: [String: String]) throws {
        let result = try result()
        for (name, value) in members {
            #expect(result[name] as? String == value, "\(name): \(result)")
        }
        #expect(try premises.person.countersign("pending", "--json").output == "")
    }

    /// The only RReq.
    func result(wait seconds: Int = 15) throws -> [String: Any] {
        let report = try premises.peer.run(
            "results",
            ["transaction": transaction, "wait": seconds]
        )
        #expect(report.problems == [])
        let all = try #require(report["results"] as? [String: [String: Any]])
        let results = try #require(all.values.first?["results"] as? [[String: Any]])
        return try #require(results.last?["rreq"] as? [String: Any])
    }
}
