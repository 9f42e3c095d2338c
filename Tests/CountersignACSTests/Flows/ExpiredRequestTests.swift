import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The person does not decide in time, and the shopper has the device asked again.
@Suite(.needsReferenceCheckers, .timeLimit(.minutes(10)))
struct `A purchase whose request expired` {
    private static let expired =
        "The request on your device has expired. You can have it sent once more."
    private static let sent = "The request was sent to your device again."

    private let machine: FaultyMachine
    private let bank: Bank
    private let premises: IssuerPremises

    init() throws {
        machine = try FaultyMachine()
        bank = try Bank()
        // The shortest time that the configuration permits.
        premises = try IssuerPremises(of: bank, approvalSeconds: 30, on: machine)
    }

    private func steps(of purchase: Purchase) throws -> [String] {
        let id = purchase.acsTransID
        let list = try premises.folder.run("audit", "list", "--authentication", id, "--json")
        return list.output.matches(of: /"step":"(\w+)"/).map { String($0.1) }
    }

    /// Waits until the operator sees that the request of an app expired.
    private func expire(_ purchase: Purchase) throws {
        try spinUntil {
            let shown = try premises.folder.run("challenge", "show", purchase.acsTransID, "--json")
            if shown.output.contains(#""state":"unanswered""#) { return true }
            // The peer waits meanwhile.
            let members: [String: Any] = ["transaction": purchase.transaction, "wait": 5]
            #expect(try premises.peer.run("results", members)["count"] as? Int == 0)
            return false
        }
    }

    private func expectEnd(_ report: CardPaymentPeer.Report, _ status: String) {
        #expect(report.text("cres", "transStatus") == status, "\(report.members)")
    }

    @Test func `has one more request in app and browser, and one result`() throws {
        let app = try Purchase(in: premises)
        let browser = try Purchase(in: premises, channel: "browser")
        _ = try browser.browser("open")
        try app.creq("show")
        var state: String?
        try spinUntil {
            state = try browser.browser("state").text("state")
            return state != "pending"
        }
        #expect(state == "expired")
        try expire(app)
        #expect(try premises.person.countersign("pending").output == "")

        // The button of the app has another label then.
        let late = try app.creq("continue")
        #expect(late.text("cres", "challengeAddInfo") == Self.expired, "\(late.members)")
        #expect(late.text("cres", "oobContinueLabel") == "Ask my device again")
        let next = try app.creq("continue")
        #expect(next.text("cres", "challengeAddInfo") == Self.sent, "\(next.members)")
        #expect(try premises.approve().contains("47.11 EUR"))
        #expect(try app.result()["transStatus"] as? String == "Y")
        expectEnd(try app.creq("continue"), "Y")
        let steps = ["answered", "asked", "asked", "decided", "reported", "ended"]
        #expect(try self.steps(of: app) == steps)

        let page = try browser.browser("show")
        #expect((page["texts"] as? [String] ?? []).contains { $0.contains(Self.expired) })
        #expect(try browser.browser("continue")["missing"] as? String == "continue")
        let asked = try browser.browser("again")
        #expect((asked["texts"] as? [String] ?? []).contains { $0.contains(Self.sent) })
        try spinUntil { try browser.browser("state").text("state") == "over" }
        try browser.expectEnd([
            "transStatus": "N", "transStatusReason": "14", "challengeCancel": "04",
        ])
        expectEnd(try browser.browser("show"), "N")
        #expect(try bank.premises.sqlite3("SELECT COUNT(*) FROM transactions") == "4")
    }

    @Test func `SEC-79: has one more request also if the ACS is killed at a write`() throws {
        let purchases = try (0..<3).map { _ in try Purchase(in: premises, cipher: "A128GCM") }
        for purchase in purchases { try purchase.creq("show") }
        for purchase in purchases { try expire(purchase) }
        let start = try machine.writes()
        let first = try purchases[0].creq("resend")
        let count = try machine.writes() - start
        try complete(purchases[0], first)
        for (purchase, place) in zip(purchases.dropFirst(), [count / 4, count / 2]) {
            try machine.kill(atWrite: max(1, place))
            var report = try purchase.creq("resend")
            try spinUntil { !premises.isRunning }
            try premises.start()
            if report.text("kind") == "unreachable" {
                report = try purchase.creq("resend", ["mutate": "repeat"])
            }
            try complete(purchase, report)
        }
        #expect(try bank.premises.sqlite3("SELECT COUNT(*) FROM transactions") == "6")
        #expect(try premises.folder.run("audit", "verify").exitCode == 0)
    }

    private func complete(_ purchase: Purchase, _ page: CardPaymentPeer.Report) throws {
        #expect(page.text("cres", "challengeCompletionInd") == "N", "\(page.members)")
        try premises.approve()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        expectEnd(try purchase.creq("continue"), "Y")
    }
}
