import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite(.enabled(if: ReferenceCheckers.areInstalled)) struct `A purchase while something fails` {
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

    @Test(arguments: ["down", "refuse", "garbage", "wrongid", "slow:7"])
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

    @Test func `SEC-71: leaves no card number in files, in the log and in memory`() throws {
        let premises = try IssuerPremises()
        for channel in ["app", "browser"] {
            let purchase = try Purchase(in: premises, channel: channel)
            if channel == "app" { _ = try purchase.creq("show") }
        }
        let unknown = "4000009876543219"
        for card in [unknown, "4000001234567898"] {
            _ = try premises.peer.run("areq", ["card": card])
        }
        for number in [IssuerPremises.card, unknown] {
            for file in try premises.folder.files() where !file.hasPrefix("pki/") {
                let content = try #require(
                    FileManager.default.contents(atPath: premises.folder.path(file))
                )
                #expect(content.range(of: Data(number.utf8)) == nil, "\(file)")
            }
            #expect(try premises.memoryPlaces(of: number) == 0, "\(number)")
        }
        let (exitCode, log) = try premises.stop()
        #expect(exitCode == 0 && log.count > 4)
        for line in log {
            #expect(!line.contains(IssuerPremises.card) && !line.contains(unknown))
        }
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
