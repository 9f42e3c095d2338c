import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(
    .needsReferenceCheckers,
    .enabled("unprivileged user namespaces are needed to mount a small disk") {
        try SmallDisk.mayBeMounted.get()
    }
)
struct `An ACS whose disk is full` {
    /// A card of the range that the issuer does not have.
    private static let unknownCard = "4000009876543219"

    private let machine: FaultyMachine
    private let premises: IssuerPremises
    private let disk: MountedDisk

    init() throws {
        machine = try FaultyMachine()
        premises = try IssuerPremises(on: machine)
        _ = try premises.stop()
        let folder = String(premises.folder.path("").dropLast())
        disk = try MountedDisk(over: folder, size: "32m")
        try premises.start(by: disk.launcher)
    }

    private func areq(_ members: [String: Any]) throws -> CardPaymentPeer.Report {
        let own: [String: Any] = ["card": IssuerPremises.card, "channel": "app"]
        let report = try premises.peer.run("areq", own.merging(members) { $1 })
        #expect(report.problems == [])
        return report
    }

    /// Fills the disk, and then the log of the store, which has room of earlier commits.
    private func fill() throws {
        try disk.fill()
        for _ in 0..<2000 where try areq(["card": Self.unknownCard])["status"] as? Int == 503 {
            return
        }
        Issue.record("the disk is not full")
    }

    private func command(_ words: String...) throws -> FinishedProcess {
        try FinishedProcess.run(
            disk.launcher[0],
            disk.launcher.dropFirst() + [ACSFolder.program] + words
                + ["--config", premises.folder.configuration]
        )
    }

    private func expectUnavailable(_ report: CardPaymentPeer.Report) {
        #expect(report["status"] as? Int == 503, "\(report.members)")
        #expect(report.text("erro", "errorCode") == "403", "\(report.members)")
    }

    @Test func `promises no challenge, and has nothing of it afterwards`() throws {
        try fill()
        let refused = try areq([:])
        expectUnavailable(refused)
        let before = try command("challenge", "list", "--json")
        #expect(!before.output.contains(#""state":"#), "\(before.output)")
        try disk.free()
        let first = try #require(refused.members["transaction"])
        let repeated = try areq(["repeat": first])
        #expect(repeated.text("ares", "transStatus") == "C", "\(repeated.members)")
        let audit = try command("audit", "verify")
        #expect(audit.exitCode == 0, "\(audit.output)")
    }

    @Test(arguments: ["A128CBC-HS256", "A128GCM"])
    func `loses nothing of a challenge in an app`(_ cipher: String) throws {
        let purchase = try Purchase(in: premises, cipher: cipher)
        try fill()
        expectUnavailable(try purchase.creq("show"))
        try disk.free()
        let page = try purchase.creq("show", ["mutate": "repeat"])
        #expect(page.text("cres", "challengeCompletionInd") == "N", "\(page.members)")
        try fill()
        try premises.approve()
        expectUnavailable(try purchase.creq("continue"))
        #expect(try premises.peer.run("results")["count"] as? Int == 0)
        try disk.free()
        let result = try purchase.result()
        #expect(result["transStatus"] as? String == "Y")
        try spinUntil {
            let shown = try command("challenge", "show", purchase.acsTransID, "--json").output
            return shown.contains(#""state":"reported""#)
        }
        try fill()
        expectUnavailable(try purchase.creq("continue", ["mutate": "repeat"]))
        try expectUses(of: result, whileFull: true)
        try disk.free()
        let end = try purchase.creq("continue", ["mutate": "repeat"])
        #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
        try expectUses(of: result, whileFull: false)
    }

    /// A check of an authentication value counts its use, so it needs room.
    private func expectUses(of result: [String: Any], whileFull isFull: Bool) throws {
        let value = try #require(result["authenticationValue"] as? String)
        let id = try #require(result["dsTransID"] as? String)
        let list = try command("card", "list", "--json").output
        let card = try #require(list.firstMatch(of: /"reference":"([^"]+)"/)?.1)
        let token = try premises.folder.text("issuer-token").trimmingCharacters(in: .newlines)
        let content =
            #"{"value":"\#(value)","dsTransID":"\#(id)","card":"\#(card)","#
            + #""amount":{"currency":"EUR","minorUnits":4711}}"#
        for word in isFull ? ["serverUnavailable"] : ["valid", "alreadyUsed"] {
            let port = premises.ports.issuer
            let fetched = try Fetched(
                "http://127.0.0.1:\(port)/acs/v1/authentication-values/check",
                "-HAuthorization: Bearer \(token)",
                "-HContent-Type: application/json",
                "-d\(content)"
            )
            #expect(fetched.status == (isFull ? 503 : 200))
            #expect(fetched[isFull ? "code" : "verdict"] == word, "\(fetched.body)")
        }
    }

    @Test func `sends a result again if the acknowledgement found no room`() throws {
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        _ = try premises.peer.run("directory", ["mode": "slow:60"])
        try premises.approve()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        try fill()
        // Now the directory responds, and later it gets the same result again.
        _ = try premises.peer.run("directory", ["mode": "ok"])
        expectUnavailable(try purchase.creq("continue"))
        try disk.free()
        try machine.advance(seconds: 15)
        let members: [String: Any] = [
            "transaction": purchase.transaction, "count": 2, "wait": 20, "repeatable": true,
        ]
        let results = try premises.peer.run("results", members)
        #expect(results.problems == [])
        #expect(results["count"] as? Int == 2)
        let end = try purchase.creq("continue", ["mutate": "repeat"])
        #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
    }

    @Test func `loses nothing of a challenge in a browser`() throws {
        let purchase = try Purchase(in: premises, channel: "browser")
        try fill()
        #expect(try purchase.browser("open")["status"] as? Int == 503)
        try disk.free()
        #expect(try purchase.browser("open")["status"] as? Int == 200)
        try fill()
        #expect(try purchase.browser("continue")["status"] as? Int == 503)
        try premises.approve()
        try disk.free()
        try spinUntil { try purchase.browser("state").text("state") == "over" }
        let end = try purchase.browser("show")
        #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
    }
}
