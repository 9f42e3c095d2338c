import Foundation
import TestSupport
import Testing
import ThreeDSIssuer

@testable import countersign_acs

@Suite struct `The challenge commands of countersign-acs` {
    private let folder: CardFolder
    private let reference: String

    init() throws {
        folder = try CardFolder()
        reference = try folder.reference()
    }

    private struct Challenge: Decodable {
        let acsTransID: String
        let dsTransID: String?
        let threeDSServerTransID: String?
        let directory: String
        let version: String
        let flow: String
        let created: String
        let state: String
        let status: String?
        let reason: String?
        let decided: String?
        let undeliveredSince: String?
        let failedDeliveries: Int
        let transaction: String?
        let card: String?
    }

    private func challenges(in output: String) throws -> [Challenge] {
        let list = try JSONDecoder().decode(
            [String: [Challenge]].self,
            from: Data(output.utf8)
        )
        return try #require(list["challenges"])
    }

    @Test func `have nothing to show in a new store`() throws {
        try folder.run("challenge", "list").expectFailure(2, "all challenges are finished")
        try folder.run("challenge", "list", "--all").expectFailure(2, "there are no challenges")
        let id = "2f37539c-d82e-4929-88db-2f9e72c7fa62"
        try folder.run("challenge", "show", id).expectFailure(
            66,
            "there is no challenge \(id)",
            hint: "countersign-acs challenge list --all shows the challenges"
        )
    }

    @Test(arguments: [
        "x", "2f37539c-d82e-4929-88db-2f9e72c7fa6", "2f37539c d82e-4929-88db-2f9e72c7fa62",
    ])
    func `refuse a malformed identifier`(_ id: String) throws {
        let refused = try folder.run("challenge", "show", id)
        #expect(refused.exitCode == 64)
        let rule = "CHALLENGE must be an acsTransID, which has 36 characters"
        #expect(refused.errorOutput.contains(rule))
    }

    @Test func `show each state in words`() async throws {
        let payments = try await StoredPayments(in: folder)
        let lost = try await payments.decide(1, isDelivered: false)
        payments.advance(seconds: 90_000)
        try await payments.work()
        let reported = try await payments.decide(2, isDelivered: true)
        payments.advance(seconds: 1)
        let undelivered = try await payments.decide(3, isDelivered: false)
        payments.advance(seconds: 1)
        let asked = try await payments.begin(4)
        try await payments.enter(asked, 4)
        payments.advance(seconds: 1)
        let promised = try await payments.begin(5)
        await payments.close()

        let pending = try folder.run("challenge", "list")
        #expect(pending.exitCode == 0, "\(pending.errorOutput)")
        let expected = [
            [promised, "2026-11-19 12:06:43 UTC", "waiting for the shop", "", "", reference, ""],
            [
                asked, "2026-11-19 12:06:42 UTC", "waiting for the person", "", "transaction-4",
                reference, "",
            ],
            [
                undelivered, "2026-11-19 12:06:41 UTC", "sending the result", "Y", "transaction-3",
                reference, "2026-11-19 12:06:41 UTC",
            ],
            [
                lost, "2026-11-18 11:06:40 UTC", "result not delivered", "Y", "transaction-1",
                reference, "2026-11-18 11:06:40 UTC",
            ],
        ]
        #expect(pending.output == lines(expected))
        let all = try folder.run("challenge", "list", "--all")
        let finished = [
            reported, "2026-11-19 12:06:40 UTC", "reported", "Y", "transaction-2", reference, "",
        ]
        #expect(all.output == lines(expected + [finished]))
        try expectNoSecrets(in: [pending.output, all.output])
    }

    private func lines(_ rows: [[String]]) -> String {
        rows.map { $0.joined(separator: "\t") + "\n" }.joined()
    }

    private func expectNoSecrets(in outputs: [String]) throws {
        for secret in StoredPayments.secrets {
            for output in outputs { #expect(!output.contains(secret)) }
        }
    }

    @Test func `print JSON without data of the shop`() async throws {
        let payments = try await StoredPayments(in: folder)
        let lost = try await payments.decide(7, isDelivered: false)
        await payments.close()
        let list = try folder.run("challenge", "list", "--json")
        let challenge = try #require(try challenges(in: list.output).first)
        #expect(challenge.acsTransID == lost)
        #expect(challenge.dsTransID == "4317fdc3-d2d2-4067-bcb1-000000000007")
        #expect(challenge.threeDSServerTransID == "8a880dc0-d2d2-4067-bcb1-000000000007")
        #expect(challenge.directory == "A000000003" && challenge.version == "2.2.0")
        #expect(challenge.flow == "browser" && challenge.state == "undelivered")
        #expect(challenge.status == "Y" && challenge.reason == nil)
        #expect(challenge.created == "2026-11-18T11:06:40.000Z")
        #expect(challenge.decided == challenge.created)
        #expect(challenge.undeliveredSince == challenge.created)
        #expect(challenge.failedDeliveries == 1)
        #expect(challenge.transaction == "transaction-1" && challenge.card == reference)

        let shown = try folder.run("challenge", "show", lost, "--json").output
        #expect(try JSONDecoder().decode(Challenge.self, from: Data(shown.utf8)).acsTransID == lost)
        // Letters of either case name the same challenge.
        let page = try folder.run("challenge", "show", lost.uppercased())
        #expect(page.output.contains("Challenge\t\(lost)\nState\tsending the result\n"))
        #expect(page.output.contains("\nFailed deliveries\t1\n"))
        try expectNoSecrets(in: [list.output, shown, page.output])
        #expect(try folder.files(with: CardFolder.marker) == "")
    }

    /// The words of the commands and the names of the API have one list.
    @Test(arguments: [
        ("promised", "waiting for the shop"), ("asked", "waiting for the person"),
        ("unanswered", "request expired"), ("withdrawing", "withdrawing"),
        ("undelivered", "sending the result"), ("reported", "reported"), ("ended", "ended"),
        ("givenUp", "result not delivered"), ("refused", "result refused"),
        ("unacknowledged", "result not acknowledged"),
    ])
    func `have states that one page explains`(_ state: String, _ words: String) throws {
        let page = URL(filePath: #filePath).appending(path: "../../../docs/reference/acs-api.md")
        let text = try String(contentsOf: page.standardized, encoding: .utf8)
        #expect(text.contains("\n| `\(state)` | \(words) | "))
        let known = try #require(ChallengeView.State(rawValue: state))
        #expect(known.words == words)
    }

    @Test func `have no other states`() {
        #expect(ChallengeView.State.allCases.count == 10)
    }
}
