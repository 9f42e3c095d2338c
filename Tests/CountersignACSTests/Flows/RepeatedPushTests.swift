import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The shopper wants another notification, and the bank's own push service gets it.
@Suite(.needsReferenceCheckers, .timeLimit(.minutes(10)))
struct `Another notification of a purchase` {
    private static let policy = #"{"authentication": ["userPIN"], "transactionSeconds": 600}"#

    private let pushes: TestServer
    private let premises: IssuerPremises

    init() throws {
        pushes = try TestServer(nil, ["--relay"])
        // The time of a request must not be over before the test is.
        premises = try IssuerPremises(
            of: .pushing(to: pushes, Self.policy),
            approvalSeconds: 400
        )
        let on = try premises.person.countersign("notifications", "on")
        try #require(on.exitCode == 0, "\(on.errorOutput)")
    }

    /// The type and the transaction of the next push.
    private func push() async throws -> (type: String, transaction: String) {
        let request = try await pushes.request()
        let head = "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n"
        try pushes.respond(with: Array(head.utf8))
        let body = String(decoding: request.body, as: UTF8.self)
        let type = try #require(body.firstMatch(of: /"type":"([^"]+)"/)?.1)
        let id = try #require(body.firstMatch(of: /"sa_transaction_id":"([^"]+)"/)?.1)
        return (String(type), String(id))
    }

    private func browser(
        _ transaction: Any,
        _ action: String,
        _ members: [String: Any] = [:]
    ) throws -> CardPaymentPeer.Report {
        let own: [String: Any] = ["transaction": transaction, "action": action]
        let report = try premises.peer.run("browser", own.merging(members) { $1 })
        #expect(report.problems == [])
        return report
    }

    /// Presses the button until the page no longer demands to wait, and returns the new status.
    private func askAgain(_ transaction: Any) throws -> String {
        let statuses = [
            "The request was sent to your device again.",
            "The request cannot be sent again. Open it on your device.",
        ]
        let soon = "The request was sent to your device a moment ago."
        var result: String?
        try spinUntil {
            let texts = try browser(transaction, "again")["texts"] as? [String] ?? []
            result = statuses.first { status in texts.contains { $0.contains(status) } }
            if result == nil {
                #expect(texts.contains { $0.contains(soon) }, "\(texts)")
                // The page waits for its end meanwhile.
                let state = try browser(transaction, "state", ["wait": 5]).text("state")
                #expect(state == "pending")
            }
            return result != nil
        }
        return try #require(result)
    }

    @Test func `SEC-33: two presses of the button bring one more push each, and a third none`()
        async throws
    {
        let purchase = try Purchase(in: premises, channel: "browser")
        _ = try browser(purchase.transaction, "open")
        let first = try await push()
        #expect(first.type == "transaction.created")
        for _ in 1...2 {
            let status = try askAgain(purchase.transaction)
            #expect(status == "The request was sent to your device again.")
            let next = try await push()
            #expect(next == ("transaction.notified", first.transaction))
        }
        for _ in 1...2 {
            let status = try askAgain(purchase.transaction)
            #expect(status == "The request cannot be sent again. Open it on your device.")
        }
        let other = try premises.person.newPayment()
        #expect(try await push() == ("transaction.created", other))
        let trail = try premises.person.bank.premises.countersignd("audit", "export").output
        #expect(trail.matches(of: /"transaction\.notified"/).count == 2)
    }

    @Test func `is made for an app too`() async throws {
        let purchase = try Purchase(in: premises)
        _ = try purchase.creq("show")
        let first = try await push()
        var isNotified = false
        try spinUntil {
            let page = try purchase.creq("resend")
            let note = page.text("cres", "challengeAddInfo") ?? ""
            isNotified = note == "The request was sent to your device again."
            if !isNotified {
                #expect(note.contains("Please wait half a minute"), "\(page.members)")
                let members: [String: Any] = ["transaction": purchase.transaction, "wait": 5]
                #expect(try premises.peer.run("results", members)["count"] as? Int == 0)
            }
            return isNotified
        }
        #expect(try await push() == ("transaction.notified", first.transaction))
        try premises.approve()
        let last = try purchase.creq("continue")
        #expect(last.text("cres", "transStatus") == "Y", "\(last.members)")
    }
}
