import Foundation
import ProgramTesting
import TestSupport
import Testing

/// Ends the ACS at random times while it processes messages, and lets the same purchase go on.
@Suite(.needsReferenceCheckers) struct `SEC-79: An ACS that is killed` {
    private static let rounds = Proof.isComplete ? 200 : 6

    /// The longest time of a message, in microseconds.
    ///
    /// Half of the kills are in the first part.
    private static let longest: UInt64 = 15_000

    @Test func `gives each purchase one result, and no nonce two contents`() throws {
        var premises = try IssuerPremises()
        var random = SeededGenerator(seed: 79)
        var lostResponses = 0
        for round in 0..<Self.rounds {
            // The verifier limits the requests of one person.
            if round > 0, round.isMultiple(of: 4) { premises = try IssuerPremises() }
            var purchase = try KilledPurchase(
                premises,
                killedIn: Phase.allCases[round % Phase.allCases.count],
                after: .random(in: 0..<(round % 8 < 4 ? 3000 : Self.longest), using: &random)
            )
            try purchase.complete()
            lostResponses += purchase.lostResponses
        }
        // Otherwise no kill was in time.
        #expect(lostResponses > 0)
    }
}

/// The message during which the ACS is killed.
private enum Phase: CaseIterable {
    case authentication, firstRequest, decision, lastRequest
}

private struct KilledPurchase {
    let premises: IssuerPremises
    let phase: Phase
    let delay: UInt64
    let transaction: Any
    private(set) var lostResponses = 0

    private static let cipher = "A128GCM"

    init(_ premises: IssuerPremises, killedIn phase: Phase, after delay: UInt64) throws {
        (self.premises, self.phase, self.delay) = (premises, phase, delay)
        let areq: [String: Any] = ["card": IssuerPremises.card, "channel": "app"]
        let report = try Self.run("areq", areq, premises, phase == .authentication ? delay : nil)
        let first = try #require(report.members["transaction"])
        guard report.text("kind") == "unreachable" else {
            #expect(report.text("ares", "transStatus") == "C", "\(report.members)")
            transaction = first
            return
        }
        lostResponses = 1
        // Whether or not the first one was committed, there is one challenge.
        let again = areq.merging(["repeat": first]) { $1 }
        let repeated = try premises.peer.run("areq", again)
        #expect(repeated.problems == [])
        #expect(repeated.text("ares", "transStatus") == "C", "\(repeated.members)")
        transaction = try #require(repeated.members["transaction"])
    }

    /// Runs a command, and kills and restarts the ACS in the middle if there is a delay.
    private static func run(
        _ command: String,
        _ members: [String: Any],
        _ premises: IssuerPremises,
        _ delay: UInt64?
    ) throws -> CardPaymentPeer.Report {
        guard let delay else { return try premises.peer.run(command, members) }
        try premises.peer.send(command, members)
        // The moment of the kill, which nothing waits for.
        usleep(useconds_t(delay))
        premises.crash()
        let report = try premises.peer.report()
        try premises.start()
        return report
    }

    private mutating func creq(
        _ action: String,
        killedIn phase: Phase?
    ) throws -> CardPaymentPeer.Report {
        var members: [String: Any] = [
            "transaction": transaction, "action": action, "cipher": Self.cipher, "timeout": 20,
        ]
        let isKilled = phase == self.phase
        let report = try Self.run("creq", members, premises, isKilled ? delay : nil)
        guard report.text("kind") == "unreachable" else {
            #expect(report.problems == [])
            return report
        }
        lostResponses += 1
        members["mutate"] = "repeat"
        let repeated = try premises.peer.run("creq", members)
        #expect(repeated.problems == [])
        return repeated
    }

    mutating func complete() throws {
        let page = try creq("show", killedIn: .firstRequest)
        #expect(page.text("cres", "challengeCompletionInd") == "N", "\(page.members)")
        try premises.approve()
        if phase == .decision {
            usleep(useconds_t(delay))
            premises.crash()
            try premises.start()
        }
        let results = try premises.peer.run(
            "results",
            ["transaction": transaction, "wait": 30, "repeatable": true]
        )
        #expect(results.problems == [])
        let all = try #require(results["results"] as? [String: [String: Any]])
        let rreqs = try #require(all.values.first?["results"] as? [[String: Any]])
        #expect(!rreqs.isEmpty)
        for rreq in rreqs {
            let message = try #require(rreq["rreq"] as? [String: Any])
            #expect(message["transStatus"] as? String == "Y")
        }
        var end = try creq("continue", killedIn: .lastRequest)
        // An RRes that was lost comes again after ten seconds, and the app gets a page meanwhile.
        for _ in 0..<3 where end.text("cres", "challengeCompletionInd") == "N" {
            end = try creq("continue", killedIn: nil)
        }
        #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
    }
}
