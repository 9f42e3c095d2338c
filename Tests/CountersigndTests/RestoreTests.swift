import Foundation
import ProgramTesting
import TestSupport
import Testing
import Verification

/// Backup, and restore from it.
@Suite struct `countersignd restore` {
    /// A verifier whose store is an older one than its journal has seen.
    ///
    /// `change` is the first that the backup knows nothing of.
    private func setBack(
        _ change: (Premises) throws -> Void = { _ in }
    ) async throws -> Premises {
        let premises = try Premises.made()
        try await premises.fill()
        let backup = try premises.countersignd("backup", premises.path("monday.db"))
        try #require(backup.exitCode == 0, "\(backup.errorOutput)")
        try change(premises)
        // The first of these revokes the activation that the backup has open.
        try await premises.fill(activations: 2)
        try premises.putBack("monday.db")
        return premises
    }

    @Test func `goes on from a backup, with a new epoch and nothing that was open`() async throws {
        let premises = try await setBack()
        let restored = try premises.countersignd("restore", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(
            restored.output == """
                Restored: the store goes on after record 3, in epoch 1.
                  0 pending transactions void
                  1 open activation closed
                  2 records of the journal followed again

                """
        )
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "1")
        #expect(
            try premises.sqlite3("SELECT count(*) FROM activations WHERE closed IS NULL") == "0"
        )
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
        #expect(try premises.countersignd("backup", premises.path("tuesday.db")).exitCode == 0)
    }

    /// A second read would use, and close, whatever file has the number by then.
    @Test func `reads encryption keys from a descriptor once`() async throws {
        let premises = try await setBack()
        let text = try String(contentsOfFile: premises.configuration, encoding: .utf8)
        let name = "descriptor.json"
        try premises.write(text.replacing("keys/encryption", with: "descriptor:3"), to: name)
        let program = BuiltProducts.path(of: "countersignd")
        let line = "cd \(premises.folder.path); \(program) restore --yes --config \(name)"
        let restored = try FinishedProcess.run("sh", ["-c", line + " 3< keys/encryption"])
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(restored.output.contains("in epoch 1."))
    }

    @Test(arguments: [
        ["init"], ["rotate"], ["rotate", "--add-key"], ["rotate", "--remove-old-keys"],
        ["backup", "copy.db"], ["audit", "export"], ["outbox", "list"],
        ["outbox", "retry", "--all"],
    ])
    func `is what every command asks for that finds a store behind its journal`(
        _ words: [String]
    ) async throws {
        let premises = try await setBack()
        let before = try premises.sqlite3(".dump")
        let refused = try premises.countersignd(words)
        #expect(refused.exitCode == 65)
        #expect(
            refused.errorOutput == """
                countersignd: the store ends at record 3, but its journal has seen record 7
                hint: if it came from a backup, run countersignd restore

                """
        )
        #expect(try premises.sqlite3(".dump") == before)
    }

    @Test(arguments: [false, true])
    func `is what an audit names too`(_ journalHasSeenMore: Bool) async throws {
        let premises = try await journalHasSeenMore ? setBack() : putBackAtOnce()
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 1)
        #expect(audit.output.contains("record 3: here the backup ends"), "\(audit.output)")
        #expect(audit.errorOutput.contains("hint: if the store came from a backup, run counters"))
    }

    /// A backup in the place of the store, of which the journal has seen all.
    @Test func `waits for nobody, and begins only once no verifier runs`() async throws {
        let premises = try Premises.made()
        try await premises.fill()
        try premises.serve()
        let verifier = try RunningVerifier(premises)
        #expect(try premises.countersignd("backup", premises.path("monday.db")).exitCode == 0)
        let operation = "http://127.0.0.1:\(verifier.operationPort)"
        #expect(try Fetched(operation + "/health/ready").status == 200)
        try premises.remove("store/countersign.db")
        try premises.putBack("monday.db")
        // What it said yes to would be in a file that nobody finds.
        var away = try Fetched(operation + "/health/ready")
        // An answer is good for a second.
        while away.status == 200 { away = try Fetched(operation + "/health/ready") }
        #expect(away.status == 503 && away.body == "store.rolledBack\n", "\(away.body)")
        let refused = try premises.countersignd("restore", "--yes")
        #expect(refused.exitCode == 75)
        #expect(refused.errorOutput.hasPrefix("countersignd: a verifier is running, or a command that"))
        _ = verifier.stop()
        #expect(try premises.countersignd("restore", "--yes").exitCode == 0)
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `moves no table on before somebody agrees, nor does another command`() throws {
        let premises = try Premises.made()
        // As the release before left it: only `run`, and who restores, may go on from there.
        #expect(try premises.sqlite3("PRAGMA user_version = 2") == "")
        let words = [["restore"], ["audit", "verify"], ["doctor"], ["policy", "show", "bank"]]
        for (words, exitCode) in zip(words, [64, 65, 1, 65] as [Int32]) {
            let refused = try premises.countersignd(words)
            #expect(refused.exitCode == exitCode, "\(words): \(refused.errorOutput)")
            #expect(try premises.sqlite3("PRAGMA user_version") == "2")
        }
        let refused = try premises.countersignd("audit", "verify").errorOutput
        #expect(refused.contains("is still as an earlier countersignd left it, in version 2"))
        let asked = try premises.countersignd("restore").errorOutput
        #expect(asked.contains("no earlier one can use it from then on"))
    }

    private func putBackAtOnce() async throws -> Premises {
        let premises = try Premises.made()
        try await premises.fill()
        #expect(try premises.countersignd("backup", premises.path("monday.db")).exitCode == 0)
        try premises.putBack("monday.db")
        return premises
    }

    @Test(arguments: [
        ["init"], ["policy", "set", "bank", "-"], ["rotate"], ["backup", "copy.db"],
        ["audit", "export"], ["outbox", "list"],
    ])
    func `SEC-04: is what every command asks for where the store is a backup`(
        _ words: [String]
    ) async throws {
        let premises = try await putBackAtOnce()
        let before = try premises.sqlite3(".dump")
        let refused = try premises.countersignd(words)
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("the store is a backup that was put back"))
        #expect(refused.errorOutput.contains("hint: run countersignd restore\n"))
        #expect(try premises.sqlite3(".dump") == before)
    }

    @Test func `goes on from a backup of which the journal has seen all`() async throws {
        let premises = try await putBackAtOnce()
        let restored = try premises.countersignd("restore", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "1")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
        #expect(try premises.countersignd("rotate").exitCode == 0)
        #expect(try premises.countersignd("restore", "--yes").exitCode == 2)
    }

    @Test func `believes an operator that a store came from a backup of another tool`()
        async throws
    {
        let premises = try Premises.made()
        try await premises.fill()
        let refused = try premises.countersignd("restore", "--yes")
        #expect(refused.exitCode == 2)
        #expect(refused.errorOutput.contains("run countersignd restore --from-backup"))
        let restored = try premises.countersignd("restore", "--from-backup", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "1")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `asks on a terminal, and goes by the answer`() async throws {
        let premises = try await setBack()
        let no = try premises.onTerminal("restore", typing: "n\n")
        #expect(no.exitCode == 1)
        #expect(no.output.contains("The store ends at record 3; its journal has seen record 7."))
        #expect(no.output.contains("Restore? [y/N]"))
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "0")
        let yes = try premises.onTerminal("restore", typing: "y\n")
        #expect(yes.exitCode == 0)
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "1")
    }

    @Test func `does nothing where nobody can be asked`() async throws {
        let premises = try await setBack()
        let refused = try premises.countersignd("restore")
        #expect(refused.exitCode == 64)
        let agreement = "--yes --config \(premises.configuration) agrees\n"
        #expect(refused.errorOutput.hasSuffix("hint: countersignd restore \(agreement)"))
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "0")

        let whole = try premises.countersignd("restore", "--from-backup")
        #expect(
            whole.errorOutput.hasSuffix("hint: countersignd restore --from-backup \(agreement)")
        )
        try premises.remove("journal/journal")
        let lost = try premises.countersignd("restore", "--journal-lost")
        #expect(lost.exitCode == 64)
        #expect(
            lost.errorOutput.hasSuffix("hint: countersignd restore --journal-lost \(agreement)")
        )
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "0")
    }

    @Test func `keeps what must be done by hand, until somebody removes it`() async throws {
        let premises = try await setBack { premises in
            try premises.write(#"{"lookAhead": 5}"#, to: "policy.json")
            let words = ["policy", "set", "bank", premises.path("policy.json")]
            #expect(try premises.countersignd(words).exitCode == 0)
        }
        let restored = try premises.countersignd("restore", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        let list = """
            To be done again by hand, since the backup knows nothing of it:
              record 4: enterprise.policy-changed of bank

            """
        let kept = String(
            decoding: try premises.contents("journal/journal.restored-1"),
            as: UTF8.self
        )
        #expect(kept.hasSuffix(list))
        let file = premises.path("journal/journal.restored-1")
        #expect(restored.output == kept + "This is in \(file) too, until you remove it.\n")
        // It is in nobody's way.
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test(arguments: 1...5)
    func `that was killed loses nothing of what must be done by hand`(_ step: Int) async throws {
        let premises = try await setBack { premises in
            try premises.write(#"{"lookAhead": 5}"#, to: "policy.json")
            let words = ["policy", "set", "bank", premises.path("policy.json")]
            #expect(try premises.countersignd(words).exitCode == 0)
        }
        try premises.kill("restore", "--yes", after: step)
        let again = try premises.countersignd("restore", "--yes")
        #expect([0, 2].contains(again.exitCode), "\(again.errorOutput)")
        let lists = try premises.files().filter { $0.hasPrefix("journal/journal.restored-") }
        let kept = String(decoding: try premises.contents(try #require(lists.last)), as: UTF8.self)
        #expect(kept.contains("record 4: enterprise.policy-changed of bank"))
    }

    @Test func `has nothing to do where the store is not behind`() async throws {
        let premises = try Premises.made()
        try await premises.fill()
        let refused = try premises.countersignd("restore", "--yes")
        #expect(refused.exitCode == 2)
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "0")
    }

    @Test(arguments: 1...5)
    func `that was killed is finished by the next`(_ step: Int) async throws {
        let premises = try await setBack()
        try premises.kill("restore", "--yes", after: step)
        let again = try premises.countersignd("restore", "--yes")
        #expect([0, 2].contains(again.exitCode), "\(again.errorOutput)")
        #expect(try Int(premises.sqlite3("SELECT epoch FROM verifier")) ?? 0 > 0)
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `needs the key that was then, and tells to go on to the newest`() throws {
        let premises = try Premises.made()
        #expect(try premises.countersignd("backup", premises.path("monday.db")).exitCode == 0)
        #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0)
        #expect(try premises.countersignd("rotate").exitCode == 0)
        try premises.copy("keys/encryption", to: "both")
        #expect(try premises.countersignd("rotate", "--remove-old-keys").exitCode == 0)
        try premises.putBack("monday.db")
        let refused = try premises.countersignd("restore", "--yes")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("version 1 of the encryption key is not in"))
        try premises.copy("both", to: "keys/encryption")
        let restored = try premises.countersignd("restore", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(restored.output.contains("Next: countersignd rotate"))
        #expect(try premises.countersignd("rotate").output.hasPrefix("Moved 1 of 1 secret"))
    }

    @Test func `goes on without a journal only where it is lost, and is told so`() async throws {
        let premises = try await setBack()
        #expect(try premises.countersignd("restore", "--journal-lost", "--yes").exitCode == 73)
        try premises.remove("journal/journal")
        let refused = try premises.countersignd("restore", "--yes")
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("run countersignd restore --journal-lost"))
        let restored = try premises.countersignd("restore", "--journal-lost", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }
}
