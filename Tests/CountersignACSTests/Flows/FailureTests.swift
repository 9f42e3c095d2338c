import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.needsReferenceCheckers) struct `A purchase while something fails` {
    @Test func `is undetermined without the verifier, and goes on when it is back`() throws {
        let bank = try Bank()
        let premises = try IssuerPremises(of: bank)
        let purchase = try Purchase(in: premises)
        let asked = try bank.restarting {
            let refused = try premises.peer.run("areq", ["card": IssuerPremises.card])
            #expect(refused.problems == [])
            #expect(refused.text("ares", "transStatus") == "U")
            #expect(refused.text("ares", "transStatusReason") == "22")
            return try purchase.creq("show")
        }
        #expect(asked.text("cres", "challengeCompletionInd") == "N", "\(asked.members)")
        _ = try purchase.creq("continue")
        try premises.approve()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        #expect(try purchase.creq("continue").text("cres", "transStatus") == "Y")
    }

    @Test func `leaves no request behind if it ends while the verifier is away`() throws {
        let bank = try Bank()
        let premises = try IssuerPremises(of: bank)
        let purchases = try (0..<3).map { _ in try Purchase(in: premises) }
        try bank.restart {
            for purchase in purchases {
                try purchase.creq("show")
                #expect(try purchase.creq("cancel").text("cres", "transStatus") == "N")
                #expect(try purchase.result()["challengeCancel"] as? String == "01")
            }
        }
        // The ACS has seen the verifier again.
        let last = try Purchase(in: premises)
        try last.creq("show")
        try premises.approve()
        #expect(try last.result()["transStatus"] as? String == "Y")
        #expect(try bank.premises.sqlite3("SELECT COUNT(*) FROM transactions") == "1")
    }

    @Test(arguments: ["down", "refuse", "erro:403"])
    func `keeps its result until the directory takes it`(_ mode: String) throws {
        let premises = try IssuerPremises()
        let purchase = try Purchase(in: premises)
        _ = try purchase.creq("show")
        _ = try premises.peer.run("directory", ["mode": mode])
        try premises.approve()
        // Without an acknowledgement, the app gets another page within its ten seconds.
        let waiting = try purchase.creq("continue")
        #expect(waiting.text("cres", "challengeCompletionInd") == "N", "\(waiting.members)")
        _ = try premises.peer.run("directory", ["mode": "ok"])
        #expect(try purchase.result(wait: 30)["transStatus"] as? String == "Y")
        #expect(try purchase.creq("continue").text("cres", "transStatus") == "Y")
    }

    /// The shop wants the result no longer, or the directory refuses it for ever.
    @Test func `sends its result once if the directory has taken or refused it`() throws {
        try expectEnds(by: [
            .init("status:02", "reported\tRRes 02"), .init("status:03", "reported\tRRes 03"),
            .init("erro:404", "reported\tErro 404", errorOfApp: "403"),
            .init("ok", "reported\tRRes 01"),
        ])
    }

    @Test func `sends its result once, and an error message, after a faulty response`() throws {
        try expectEnds(by: [
            .init("slow:60", "unacknowledged\t402", errorOfApp: "403", ofDirectory: "402"),
            .init("garbage", "unacknowledged\t101", errorOfApp: "101", ofDirectory: "101"),
            .init("lacking", "unacknowledged\t201", errorOfApp: "201", ofDirectory: "201"),
            .init("ok", "reported\tRRes 01"),
        ])
    }

    @Test func `waits for a response as long as the configuration states`() throws {
        let premises = try IssuerPremises()
        _ = try premises.stop()
        let text = try premises.folder.text("acs.json")
        try premises.folder.write(
            text.replacing(#""rid""#, with: #""resultSeconds": 30, "rid""#),
            to: "acs.json"
        )
        try premises.start()
        let purchase = try Purchase(in: premises)
        try purchase.creq("show")
        _ = try premises.peer.run("directory", ["mode": "slow:6"])
        try premises.approve()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        var end = try purchase.creq("continue")
        for _ in 0..<3 where end.text("cres", "challengeCompletionInd") == "N" {
            end = try purchase.creq("continue")
        }
        #expect(end.text("cres", "transStatus") == "Y", "\(end.members)")
        let results = try premises.peer.run("results", ["transaction": purchase.transaction])
        #expect(results.problems == [] && results["count"] as? Int == 1)
        #expect((results["errors"] as? [Any])?.isEmpty == true)
    }

    private func expectEnds(by responses: [DirectoryMode]) throws {
        let machine = try FaultyMachine()
        let premises = try IssuerPremises(on: machine)
        var purchases: [(Purchase, DirectoryMode)] = []
        for response in responses {
            let purchase = try Purchase(in: premises, cipher: "A128GCM")
            try purchase.creq("show")
            _ = try premises.peer.run("directory", ["mode": response.mode])
            try premises.approve()
            #expect(try purchase.result()["transStatus"] as? String == "Y")
            let end = try purchase.creq("continue")
            let place = response.errorOfApp == nil ? ("cres", "transStatus") : ("erro", "errorCode")
            let expected = response.errorOfApp ?? "Y"
            #expect(end.text(place.0, place.1) == expected, "\(response): \(end.members)")
            let list = try premises.folder.run(
                "audit",
                "list",
                "--authentication",
                purchase.acsTransID
            )
            #expect(list.output.contains("\t\(response.record)\n"), "\(list.output)")
            // Everything that is due is sent before the result of the next purchase.
            try machine.advance(seconds: 60)
            purchases.append((purchase, response))
        }
        for (purchase, response) in purchases {
            let results = try premises.peer.run("results", ["transaction": purchase.transaction])
            #expect(results.problems == [] && results["count"] as? Int == 1)
            let errors = try #require(results["errors"] as? [[String: Any]])
            let codes = errors.map { $0["errorCode"] as? String }
            #expect(codes == (response.errorOfDirectory.map { [$0] } ?? []), "\(response)")
        }
    }

    @Test func `SEC-78: is not authenticated while the verifier does not respond`() throws {
        let (machine, bank) = (try FaultyMachine(), try Bank())
        let premises = try IssuerPremises(of: bank, on: machine)
        let purchases = try (0..<2).map { _ in try Purchase(in: premises, cipher: "A128GCM") }
        defer { try? bank.signal(SIGCONT) }
        // The verifier accepts connections, and sends nothing.
        try bank.signal(SIGSTOP)
        let page = try purchases[0].creq("show")
        #expect(page.text("cres", "challengeCompletionInd") == "N", "\(page.members)")
        let seconds = try #require(page["seconds"] as? Double)
        #expect(seconds < 10)
        try bank.signal(SIGCONT)
        try purchases[0].creq("continue")
        try premises.approve()
        #expect(try purchases[0].result()["transStatus"] as? String == "Y")
        try purchases[1].creq("show")
        try bank.signal(SIGSTOP)
        let waiting = try purchases[1].creq("continue")
        #expect(waiting.text("cres", "challengeCompletionInd") == "N", "\(waiting.members)")
        try machine.advance(seconds: 600)
        let late = try purchases[1].creq("continue")
        #expect(late.text("erro", "errorCode") == "402", "\(late.members)")
        try machine.advance(seconds: 30)
        let result = try purchases[1].result(wait: 30)
        #expect(result["transStatus"] as? String == "N")
        #expect(result["transStatusReason"] as? String == "14", "\(result)")
    }

    @Test func `survives the end of the ACS at any time`() throws {
        let premises = try IssuerPremises()
        let purchase = try Purchase(in: premises, cipher: "A128GCM")
        premises.crash()
        try premises.start()
        _ = try purchase.creq("show")
        premises.crash()
        try premises.start()
        let repeated = try purchase.creq("show", ["mutate": "repeat"])
        #expect(repeated["identical"] as? Bool == true)
        premises.crash()
        try premises.approve()
        try premises.start()
        #expect(try purchase.result()["transStatus"] as? String == "Y")
        let end = try purchase.creq("continue")
        #expect(end.text("cres", "transStatus") == "Y")
        premises.crash()
        try premises.start()
        let last = try purchase.creq("continue", ["mutate": "repeat"])
        #expect(last["identical"] as? Bool == true)
    }
}

/// How the directory responds to a result, and the effects.
private struct DirectoryMode {
    let mode: String
    /// The step and the details of the audit record.
    let record: String
    /// Nil if the app gets its last CRes.
    let errorOfApp: String?
    /// The code of the error message that the directory gets.
    let errorOfDirectory: String?

    init(
        _ mode: String,
        _ record: String,
        errorOfApp: String? = nil,
        ofDirectory errorOfDirectory: String? = nil
    ) {
        (self.mode, self.record) = (mode, record)
        (self.errorOfApp, self.errorOfDirectory) = (errorOfApp, errorOfDirectory)
    }
}

extension Bank {
    /// Runs `body` while the verifier does not run.
    fileprivate func restarting<Outcome>(_ body: () throws -> Outcome) throws -> Outcome {
        var outcome: Outcome?
        try restart { outcome = try body() }
        return try #require(outcome)
    }
}
