import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Kills the ACS right before one of its writes, at each write of a purchase.
@Suite(.needsReferenceCheckers)
struct `SEC-79: An ACS that is killed at a write` {
    /// A short run kills at one of so many writes; a purchase has over five times as many.
    private static let distance = 20

    /// The verifier limits the requests of one person.
    private static let purchasesOfPerson = 4

    @Test(arguments: ["app", "browser"])
    func `completes the purchase after its restart`(_ channel: String) throws {
        let machine = try FaultyMachine()
        var premises: IssuerPremises?
        let writes = Proof.steps(from: 1, to: 5000, oneOf: Self.distance)
        for (round, write) in writes.enumerated() {
            if round.isMultiple(of: Self.purchasesOfPerson) {
                try premises?.expectVerified()
                premises = try IssuerPremises(on: machine)
            }
            var purchase = InterruptedPurchase(in: try #require(premises), channel, on: machine)
            try machine.kill(atWrite: write)
            try purchase.complete()
            try machine.kill(atWrite: 0)
            guard purchase.wasKilled else {
                #expect(write > 5 * Self.distance, "a purchase has few writes")
                try premises?.expectVerified()
                return
            }
        }
        Issue.record("no purchase completed without a kill")
    }
}

/// A purchase with an ACS that starts again if it ended.
private struct InterruptedPurchase {
    private let premises: IssuerPremises
    private let machine: FaultyMachine
    private let isInApp: Bool
    private let areq: [String: Any]
    private(set) var wasKilled = false

    /// The time after which an ACS sends an RReq again whose RRes it did not note.
    private static let lease = 15

    init(in premises: IssuerPremises, _ channel: String, on machine: FaultyMachine) {
        (self.premises, self.machine, isInApp) = (premises, machine, channel == "app")
        areq = ["card": IssuerPremises.card, "channel": channel]
    }

    mutating func complete() throws {
        let first = try run("areq", areq) { ["repeat": $0.members["transaction"] as Any] }
        #expect(first.text("ares", "transStatus") == "C", "\(first.members)")
        let id = try #require(first.text("ares", "acsTransID"))
        let transaction: [String: Any] = ["transaction": first.members["transaction"] as Any]
        if isInApp {
            let page = try creq("show", in: transaction)
            #expect(page.text("cres", "challengeCompletionInd") == "N", "\(page.members)")
        } else {
            let page = try browser("open", in: transaction)
            #expect(page["over"] as? Bool == false, "\(page.members)")
        }
        try premises.approve()
        try expectResult(of: transaction)
        let end = try isInApp ? lastResponse(in: transaction) : lastPage(in: transaction)
        #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
        try expectResult(of: transaction)
        try premises.expectRecords(of: id, endsWith: isInApp ? ["ended"] : [])
    }

    /// Starts the ACS again if it was killed.
    private mutating func revive() throws {
        guard !premises.isRunning else { return }
        wasKilled = true
        try machine.advance(seconds: Self.lease)
        try premises.start()
    }

    /// Runs a command, and runs it again with other members if the ACS did not respond.
    private mutating func run(
        _ command: String,
        _ members: [String: Any],
        again: (CardPaymentPeer.Report) -> [String: Any] = { _ in [:] }
    ) throws -> CardPaymentPeer.Report {
        var report = try premises.peer.run(command, members)
        if report.text("kind") == "unreachable" {
            try spinUntil { !premises.isRunning }
            try revive()
            report = try premises.peer.run(command, members.merging(again(report)) { $1 })
        }
        #expect(report.problems == [])
        return report
    }

    private mutating func creq(
        _ action: String,
        in transaction: [String: Any]
    ) throws -> CardPaymentPeer.Report {
        let own: [String: Any] = ["action": action, "cipher": "A128GCM", "timeout": 20]
        return try run("creq", transaction.merging(own) { $1 }) { _ in ["mutate": "repeat"] }
    }

    private mutating func browser(
        _ action: String,
        in transaction: [String: Any]
    ) throws -> CardPaymentPeer.Report {
        try run("browser", transaction.merging(["action": action, "wait": 10]) { $1 })
    }

    private mutating func lastResponse(
        in transaction: [String: Any]
    ) throws -> CardPaymentPeer.Report {
        var end = try creq("continue", in: transaction)
        // The app gets a page while an RRes that was lost comes again.
        for _ in 0..<5 where end.text("cres", "challengeCompletionInd") == "N" {
            end = try creq("continue", in: transaction)
        }
        return end
    }

    private mutating func lastPage(in transaction: [String: Any]) throws -> CardPaymentPeer.Report {
        for _ in 0..<5 where try browser("state", in: transaction).text("state") != "over" {}
        return try browser("show", in: transaction)
    }

    /// Expects that all RReqs have the same content, and are authenticated.
    private mutating func expectResult(of transaction: [String: Any]) throws {
        let members = transaction.merging(["wait": 0.2, "repeatable": true]) { $1 }
        var report = try premises.peer.run("results", members)
        try spinUntil {
            guard report["count"] as? Int == 0 else { return true }
            try revive()
            report = try premises.peer.run("results", members)
            return false
        }
        #expect(report.problems == [])
        let all = try #require(report["results"] as? [String: [String: Any]])
        let results = try #require(all.values.first?["results"] as? [[String: Any]])
        for result in results {
            let rreq = try #require(result["rreq"] as? [String: Any])
            #expect(rreq["transStatus"] as? String == "Y")
        }
    }
}

extension IssuerPremises {
    /// Each step of a purchase has one record.
    fileprivate func expectRecords(of id: String, endsWith last: [String]) throws {
        let list = try folder.run("audit", "list", "--authentication", id, "--json")
        let steps = list.output.matches(of: /"step":"(\w+)"/).map { String($0.1) }
        #expect(steps == ["answered", "asked", "decided", "reported"] + last, "\(list.output)")
    }

    fileprivate func expectVerified() throws {
        let audit = try folder.run("audit", "verify")
        #expect(audit.exitCode == 0, "\(audit.output)\(audit.errorOutput)")
    }
}
