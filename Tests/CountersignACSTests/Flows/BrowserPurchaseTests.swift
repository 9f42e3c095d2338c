import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers) struct `A purchase in a browser` {
    private let premises: IssuerPremises
    private var peer: CardPaymentPeer { premises.peer }

    init() throws {
        premises = try IssuerPremises()
    }

    private func transaction(_ version: String = "2.2.0") throws -> Any {
        let areq = try peer.run(
            "areq",
            ["card": IssuerPremises.card, "channel": "browser", "version": version]
        )
        #expect(areq.problems == [])
        #expect(areq.text("ares", "transStatus") == "C", "\(areq.members)")
        return try #require(areq.members["transaction"])
    }

    private func browser(_ transaction: Any, _ action: String) throws -> CardPaymentPeer.Report {
        let report = try peer.run("browser", ["transaction": transaction, "action": action])
        #expect(report.problems == [])
        return report
    }

    /// Waits for the end, and loads the page as its script does.
    private func lastPage(of transaction: Any) throws -> CardPaymentPeer.Report {
        let members: [String: Any] = ["transaction": transaction, "action": "state", "wait": 20]
        let state = try peer.run("browser", members)
        #expect(state.problems == [])
        #expect(state.text("state") == "over")
        return try browser(transaction, "show")
    }

    @Test func `is approved with countersign`() throws {
        for version in ["2.1.0", "2.2.0", "2.3.1"] {
            let transaction = try transaction(version)
            let page = try browser(transaction, "open")
            #expect(page.text("kind") == "page", "\(page.members)")
            try premises.approve()
            let end = try lastPage(of: transaction)
            #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
            #expect(end["session", "identical"] as? Bool == true)
            let results = try peer.run("results", ["transaction": transaction])
            #expect(results.problems == [])
            #expect(results["count"] as? Int == 1)
        }
    }

    @Test func `is cancelled by its button, and by no other page`() throws {
        let transaction = try transaction()
        _ = try browser(transaction, "open")
        _ = try browser(transaction, "foreign")
        #expect(try browser(transaction, "state").text("state") == "pending")
        let cancelled = try browser(transaction, "cancel")
        let results = try peer.run("results", ["transaction": transaction, "wait": 10])
        #expect(results.problems == [])
        #expect(results["count"] as? Int == 1)
        // The result can be known before the page is loaded again.
        let isOver = cancelled.text("cres", "transStatus") != nil
        let end = try isOver ? cancelled : lastPage(of: transaction)
        #expect(end.text("cres", "transStatus") == "N", "\(end.members)")
    }

    @Test func `takes the same form again, and changes nothing for another one`() throws {
        let transaction = try transaction()
        _ = try browser(transaction, "open")
        _ = try browser(transaction, "repeat")
        _ = try browser(transaction, "altered")
        _ = try browser(transaction, "garbage")
        try premises.approve()
        let end = try lastPage(of: transaction)
        #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
    }

    @Test func `needs no session data, and keeps its last page until the browser posts it`()
        throws
    {
        let purchase = try Purchase(in: premises, channel: "browser")
        let page = try purchase.browser("open", ["session": NSNull(), "window": "01"])
        #expect(page["over"] as? Bool == false, "\(page.members)")
        try premises.approve()
        try spinUntil { try purchase.browser("state").text("state") == "over" }
        for _ in 1...2 {
            let held = try purchase.browser("show", ["hold": true])
            #expect(held["over"] as? Bool == false, "\(held.members)")
        }
        let end = try purchase.browser("show")
        #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
        #expect(end["session", "returned"] is NSNull)
    }

    @Test func `completes the 3DS Method`() throws {
        let report = try peer.run("method")
        #expect(report.problems == [])
        #expect(report["completed"] as? Bool == true, "\(report.members)")
    }
}
