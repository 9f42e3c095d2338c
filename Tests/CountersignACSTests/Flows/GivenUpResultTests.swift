import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers) struct `A result that was given up` {
    private let premises: IssuerPremises
    private let purchase: Purchase
    private let id: String

    /// The directory is down for more than a day after the approval.
    init() async throws {
        premises = try IssuerPremises()
        purchase = try Purchase(in: premises, channel: "browser")
        _ = try premises.peer.run(
            "browser",
            ["transaction": purchase.transaction, "action": "open"]
        )
        _ = try premises.peer.run("directory", ["mode": "down"])
        try premises.approve()
        try spinUntil { [premises] in
            try premises.folder.run("challenge", "list").output.contains("sending the result")
        }
        _ = try premises.stop()
        let day = UInt64(Date.now.timeIntervalSince1970 + 90_000) * 1000
        let later = try await StoredPayments(in: CardFolder(of: premises.folder), from: day)
        later.set(isReachable: false)
        try await later.work()
        await later.close()
        let list = try premises.folder.run("challenge", "list").output
        #expect(list.contains("\tresult not delivered\tY\t"))
        id = String(try #require(list.split(separator: "\t").first))
        try premises.start()
    }

    private func send() throws -> FinishedProcess {
        try premises.folder.run("challenge", "send", id)
    }

    private func steps() throws -> [String] {
        try premises.folder.run("audit", "list", "--authentication", id).output
            .split(separator: "\n").map { String($0.split(separator: "\t")[3]) }
    }

    @Test func `is sent once by hand while the ACS runs`() throws {
        // Nothing sends it without the command.
        let refused = try send()
        #expect(refused.exitCode == 75)
        let failure = "the directory server did not accept the result: "
        let reason = failure + "the server refuses connections"
        #expect(refused.errorOutput.contains(reason), "\(refused.errorOutput)")
        _ = try premises.peer.run("directory", ["mode": "ok"])
        let sent = try send()
        #expect(sent.exitCode == 0, "\(sent.errorOutput)")
        #expect(sent.output == "The directory server has the result of \(id).\n")
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        let results = try premises.peer.run("results", ["transaction": purchase.transaction])
        #expect(results.members["count"] as? Int == 1)
        let again = try send()
        #expect(again.exitCode == 1)
        let state = #"the result of \#(id) was not given up; its state is "reported""#
        #expect(again.errorOutput.contains(state), "\(again.errorOutput)")
        let tries = ["sentAgain", "givenUp", "sentAgain", "reported"]
        #expect(try steps().filter { tries.contains($0) } == ["givenUp"] + tries)
        #expect(try premises.folder.run("audit", "verify").exitCode == 0)
    }

    /// Without a response in time, it is unacknowledged, and can be sent again.
    @Test func `is sent by hand although a response comes late`() throws {
        _ = try premises.peer.run("directory", ["mode": "slow:60"])
        let late = try send()
        #expect(late.exitCode == 75)
        let list = try premises.folder.run("challenge", "list", "--all").output
        #expect(list.contains("\tresult not acknowledged\tY\t"), "\(list)")
        _ = try premises.peer.run("directory", ["mode": "ok"])
        #expect(try send().exitCode == 0)
        let results = try premises.peer.run("results", ["transaction": purchase.transaction])
        #expect(results.members["count"] as? Int == 2)
        let errors = try #require(results["errors"] as? [[String: Any]])
        #expect(errors.map { $0["errorCode"] as? String } == ["402"])
        let tries = ["sentAgain", "unacknowledged", "sentAgain", "reported"]
        #expect(try steps().filter { tries.contains($0) } == tries)
    }

    @Test func `is refused for good by an error message`() throws {
        _ = try premises.peer.run("directory", ["mode": "erro:301"])
        try premises.folder.run("challenge", "send", id).expectFailure(
            1,
            "the directory server refused the result with the error 301",
            hint: "ask its operator whether it has the result: the error 301 can mean that"
        )
        let state = #"the result of \#(id) was not given up; its state is "result refused""#
        #expect(try send().errorOutput.contains(state))
    }

    @Test func `is named exactly`() throws {
        let other = "2f37539c-d82e-4929-88db-2f9e72c7fa62"
        try premises.folder.run("challenge", "send", other).expectFailure(
            66,
            "there is no challenge \(other)",
            hint: "countersign-acs challenge list --all shows the challenges"
        )
        #expect(try premises.folder.run("challenge", "send", "x").exitCode == 64)
    }
}
