import Foundation
import ProgramTesting
import Sealing
import Storage
import TestSupport
import Testing
import Verification

@Suite struct `countersignd restore` {
    /// A verifier whose store is older than its journal.
    ///
    /// `change` is the first change that the backup does not contain.
    private func setBack(
        _ change: (Premises) throws -> Void = { _ in }
    ) async throws -> Premises {
        let premises = try Premises.initialized()
        try await premises.fill()
        let backup = try premises.countersignd("backup", premises.path("monday.db"))
        try #require(backup.exitCode == 0, "\(backup.errorOutput)")
        try change(premises)
        // The first one revokes the open activation of the backup.
        try await premises.fill(activations: 2)
        try premises.putBack("monday.db")
        return premises
    }

    @Test func `a restore starts a new epoch and closes open activations`() async throws {
        let premises = try await setBack()
        let restored = try premises.countersignd("restore", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        let time = /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/
        let counts = """
            Restored: the store continues after record 3, in epoch 1.
              0 pending transactions made void
              1 open activation closed
              2 records of the journal replayed

            """
        let span = """
            Lost, as far as the journal shows: from record 4 of TIME to record 7 of TIME.
            Approvals in this span are gone.

            """
        #expect(restored.output.replacing(time, with: "TIME") == counts + span)
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "1")
        #expect(
            try premises.sqlite3("SELECT count(*) FROM activations WHERE closed IS NULL") == "0"
        )
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
        #expect(try premises.countersignd("backup", premises.path("tuesday.db")).exitCode == 0)
    }

    /// No file has a key of this version, so the operator could not restore any backup.
    @Test(arguments: ["017fffffff", "0100000000", ""])
    func `SEC-101: a secret under a key version that does not exist does not stop a restore`(
        _ start: String
    ) async throws {
        let premises = try await setBack()
        #expect(try premises.sqlite3("UPDATE activations SET code = x'\(start)'") == "")
        let restored = try premises.countersignd("restore", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(!restored.output.contains("rotate"))
    }

    @Test func `the lost span has the times of its records, in text and in JSON`() async throws {
        let premises = try await setBack { premises in
            try premises.write(#"{"lookAhead": 5}"#, to: "policy.json")
            let words = ["policy", "set", "bank", premises.path("policy.json")]
            #expect(try premises.countersignd(words).exitCode == 0)
            try premises.copy("store/countersign.db", to: "later.db")
        }
        let kept = try #require(Int(premises.sqlite3("SELECT max(moment) FROM audit")))
        let changed = try #require(
            Int(premises.sqlite3("SELECT max(moment) FROM audit", in: "later.db"))
        )
        let restored = try premises.countersignd("restore", "--yes", "--json")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        let shown = try JSONObject(restored.output)
        #expect(shown.text("record") == "3")
        #expect(shown.text("epoch") == "1")
        let lost = try #require(shown["lost"])
        #expect(lost["after"]?.text("record") == "3")
        #expect(lost["after"]?.text("moment") == "\(kept)")
        #expect(lost["from"]?.text("record") == "4")
        #expect(lost["from"]?.text("moment") == "\(changed)")
        #expect(lost["to"]?.text("record") == "8")
        #expect(try #require(Int(lost["to"]?.text("moment") ?? "")) >= changed)
        let text = try #require(lost.text("text"))
        let span = /from record 4 of 2\S+ \S+ UTC to record 8 of 2/
        #expect(text.contains(span))
        #expect(text.hasSuffix("UTC.\nApprovals in this span are gone."))
        #expect(shown["unreplayed", 0]?.text("kind") == "enterprise.policy-changed")
        #expect(shown.text("report") == premises.path("journal/journal.restored-1"))
        let report = try premises.contents("journal/journal.restored-1")
        #expect(String(decoding: report, as: UTF8.self).contains(text))
    }

    /// A second read would use, and close, the file that has the number then.
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
        ["init"], ["rotate"], ["rotate", "--add-key"], ["rotate", "--remove-old-keys", "--yes"],
        ["backup", "copy.db"], ["outbox", "list"], ["outbox", "retry", "--all"],
    ])
    func `every other command rejects a store that is older than its journal`(
        _ words: [String]
    ) async throws {
        let premises = try await setBack()
        let before = try premises.sqlite3(".dump")
        let refused = try premises.countersignd(words)
        #expect(refused.exitCode == 65)
        #expect(
            refused.errorOutput == """
                countersignd: the store ends at record 3, but its journal ends at record 7
                hint: if the store came from a backup, run countersignd restore

                """
        )
        #expect(try premises.sqlite3(".dump") == before)
    }

    @Test func `an export reports a store that is older than its journal`() async throws {
        let premises = try await setBack()
        let export = try premises.countersignd("audit", "export")
        #expect(export.exitCode == 1)
        #expect(export.output.split(separator: "\n").count == 3)
        #expect(
            export.errorOutput.hasPrefix(
                "countersignd: the store ends at record 3, but its journal ends at record 7; all"
            )
        )
    }

    @Test(arguments: [false, true])
    func `an audit reports a store that was not restored`(_ journalHasSeenMore: Bool) async throws {
        let premises = try await journalHasSeenMore ? setBack() : putBackAtOnce()
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 1)
        #expect(audit.output.contains("record 3: the end of a backup"), "\(audit.output)")
        #expect(audit.errorOutput.contains("hint: if the store came from a backup, run counters"))
    }

    /// A backup that replaces the store and is not older than its journal.
    @Test func `a restore needs all verifiers to be stopped`() async throws {
        let premises = try Premises.initialized()
        try await premises.fill()
        try premises.serve()
        let verifier = try RunningVerifier(premises)
        #expect(try premises.countersignd("backup", premises.path("monday.db")).exitCode == 0)
        let operation = "http://127.0.0.1:\(verifier.operationPort)"
        #expect(try Fetched(operation + "/health/ready").status == 200)
        try premises.remove("store/countersign.db")
        try premises.putBack("monday.db")
        // Otherwise its decisions would be in a deleted file.
        var away = try Fetched(operation + "/health/ready")
        // A health check is cached for one second.
        while away.status == 200 { away = try Fetched(operation + "/health/ready") }
        #expect(away.status == 503 && away.body == "store.rolledBack\n", "\(away.body)")
        let refused = try premises.countersignd("restore", "--yes")
        #expect(refused.exitCode == 75)
        #expect(refused.errorOutput.hasPrefix("countersignd: a verifier or another command uses"))
        _ = verifier.stop()
        #expect(try premises.countersignd("restore", "--yes").exitCode == 0)
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `a store is migrated only after a confirmation`() throws {
        let premises = try Premises.initialized()
        // A store of an older release: only `run` and `restore` migrate it.
        #expect(try premises.sqlite3("PRAGMA user_version = 2") == "")
        let words = [["restore"], ["audit", "verify"], ["doctor"], ["policy", "show", "bank"]]
        for (words, exitCode) in zip(words, [64, 65, 1, 65] as [Int32]) {
            let refused = try premises.countersignd(words)
            #expect(refused.exitCode == exitCode, "\(words): \(refused.errorOutput)")
            #expect(try premises.sqlite3("PRAGMA user_version") == "2")
        }
        let refused = try premises.countersignd("audit", "verify").errorOutput
        #expect(refused.contains("an older release made the store"))
        let refusal = try premises.countersignd("restore").errorOutput
        #expect(refusal.contains("releases cannot use it after that"))
        // This restore would be refused after the migration.
        try premises.copy("keys/agreement", to: "keys/checkpoint")
        let other = try premises.countersignd("restore", "--yes")
        #expect(other.exitCode == 65)
        #expect(other.errorOutput.contains("or signed by another key"), "\(other.errorOutput)")
        #expect(try premises.sqlite3("PRAGMA user_version") == "2")
    }

    private func putBackAtOnce() async throws -> Premises {
        let premises = try Premises.initialized()
        try await premises.fill()
        #expect(try premises.countersignd("backup", premises.path("monday.db")).exitCode == 0)
        try premises.putBack("monday.db")
        return premises
    }

    @Test(arguments: [
        ["init"], ["policy", "set", "bank", "-"], ["rotate"], ["backup", "copy.db"],
        ["audit", "export"], ["outbox", "list"],
    ])
    func `SEC-04: every command rejects a backup that was not restored`(
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

    @Test func `a backup that is not older than its journal can be restored`() async throws {
        let premises = try await putBackAtOnce()
        let restored = try premises.countersignd("restore", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        let unknown = /\nThe journal shows no lost records after record 3 of 2.* UTC\.\n/
        #expect(restored.output.contains(unknown))
        #expect(restored.output.hasSuffix("\nLater approvals, if there were any, are gone.\n"))
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "1")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
        #expect(try premises.countersignd("rotate").exitCode == 0)
        #expect(try premises.countersignd("restore", "--yes").exitCode == 2)
    }

    @Test func `--from-backup restores a copy of another tool`()
        async throws
    {
        let premises = try Premises.initialized()
        try await premises.fill()
        let refused = try premises.countersignd("restore", "--yes")
        #expect(refused.exitCode == 2)
        #expect(refused.errorOutput.contains("run countersignd restore --from-backup"))
        let restored = try premises.countersignd("restore", "--from-backup", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "1")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `a restore needs a confirmation on a terminal`() async throws {
        let premises = try await setBack()
        let declined = try premises.onTerminal("restore", typing: "n\n")
        #expect(declined.exitCode == 1)
        let difference = "The store ends at record 3, but its journal ends at record 7."
        #expect(declined.output.contains(difference))
        let lines = declined.output.replacing("\r\n", with: "\n")
        #expect(lines.contains(/from record 4 of 2.* UTC to record 7 of 2.* UTC\.\n/))
        #expect(lines.contains("\nApprovals in this span are gone.\n"))
        #expect(declined.output.contains("Restore the store? [y/N]"))
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "0")
        let confirmed = try premises.onTerminal("restore", typing: "y\n")
        #expect(confirmed.exitCode == 0)
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "1")
    }

    @Test func `a restore without a terminal or --yes changes nothing`() async throws {
        let premises = try await setBack()
        let refused = try premises.countersignd("restore")
        #expect(refused.exitCode == 64)
        let command = "hint: confirm with countersignd restore"
        let confirmation = "--yes --config \(premises.configuration)\n"
        #expect(refused.errorOutput.hasSuffix("\(command) \(confirmation)"))
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "0")

        let whole = try premises.countersignd("restore", "--from-backup")
        #expect(whole.errorOutput.hasSuffix("\(command) --from-backup \(confirmation)"))
        try premises.remove("journal/journal")
        let lost = try premises.countersignd("restore", "--journal-lost")
        #expect(lost.exitCode == 64)
        #expect(lost.errorOutput.hasSuffix("\(command) --journal-lost \(confirmation)"))
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "0")
    }

    @Test func `the list of changes to repeat stays in a file`() async throws {
        let premises = try await setBack { premises in
            try premises.write(#"{"lookAhead": 5}"#, to: "policy.json")
            let words = ["policy", "set", "bank", premises.path("policy.json")]
            #expect(try premises.countersignd(words).exitCode == 0)
        }
        let restored = try premises.countersignd("restore", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        let list = """
            Repeat these changes, which the backup does not contain:
              record 4: enterprise.policy-changed of bank

            """
        let kept = String(
            decoding: try premises.contents("journal/journal.restored-1"),
            as: UTF8.self
        )
        #expect(kept.hasSuffix(list))
        let file = premises.path("journal/journal.restored-1")
        #expect(restored.output == kept + "This report is also in \(file), until you delete it.\n")
        // It does not prevent other commands.
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `SEC-101: forged rows stay, and the report names them`() async throws {
        let premises = try await setBack()
        #expect(try premises.sqlite3("UPDATE activations SET deadline = 5") == "")
        let id = try premises.sqlite3("SELECT id FROM activations")
        let restored = try premises.countersignd("restore", "--yes", "--json")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        let shown = try JSONObject(restored.output)
        #expect(shown.count(of: "forged") == 1)
        #expect(restored.output.contains("\"activations id=\(id)\""))
        #expect(shown.text("closedActivations") == "0")
        #expect(shown.text("report") == premises.path("journal/journal.restored-1"))
        let report = try premises.contents("journal/journal.restored-1")
        let list = """
            Another program wrote these rows, which stay rejected:
              activations id=\(id)

            """
        #expect(String(decoding: report, as: UTF8.self).hasSuffix(list))
        let record = "SELECT count(*) FROM audit WHERE kind = 'store.row-forged'"
        #expect(try premises.sqlite3(record) == "1")
        #expect(try premises.countersignd("audit", "verify").exitCode == 1)
    }

    @Test func `a damaged trail stops a restore, unless the operator accepts it`() async throws {
        let premises = try await setBack()
        #expect(try premises.sqlite3("UPDATE audit SET detail = 'x' WHERE sequence = 2") == "")
        let refused = try premises.countersignd("restore", "--yes")
        #expect(refused.exitCode == 65)
        let reason = "record 2 of the store's audit trail is missing, changed or extra\n"
        #expect(refused.errorOutput.contains(reason))
        #expect(refused.errorOutput.contains("restore --despite-damaged-trail"))
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "0")
        let unconfirmed = try premises.countersignd("restore", "--despite-damaged-trail")
        #expect(unconfirmed.errorOutput.contains("restore --despite-damaged-trail --yes"))
        let restored = try premises.countersignd("restore", "--despite-damaged-trail", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        let sentence = "No row was compared with the audit trail: all valid tags are trusted.\n"
        #expect(restored.output.contains(sentence))
        #expect(restored.output.contains("journal/journal.restored-1, until you delete it."))
    }

    @Test(.killsAtSystemCalls, arguments: ["fdatasync", "fsync"])
    func `a killed restore is completed by the next one, with the list of changes to repeat`(
        _ call: String
    ) async throws {
        for number in 1..<1000 {
            let premises = try await setBack { premises in
                try premises.write(#"{"lookAhead": 5}"#, to: "policy.json")
                let words = ["policy", "set", "bank", premises.path("policy.json")]
                #expect(try premises.countersignd(words).exitCode == 0)
            }
            let isKilled = try premises.kill("restore", "--yes", at: call, number: number)
            let again = try premises.countersignd("restore", "--yes")
            #expect([0, 2].contains(again.exitCode), "\(call) \(number): \(again.errorOutput)")
            #expect(try Int(premises.sqlite3("SELECT epoch FROM verifier")) ?? 0 > 0)
            #expect(try premises.countersignd("audit", "verify").exitCode == 0)
            let lists = try premises.files().filter { $0.hasPrefix("journal/journal.restored-") }
            let last = try premises.contents(try #require(lists.last))
            let kept = String(decoding: last, as: UTF8.self)
            #expect(kept.contains("record 4: enterprise.policy-changed of bank"))
            guard isKilled else {
                #expect(number > 2, "restore hardly calls \(call)")
                return
            }
        }
        Issue.record("no restore completed")
    }

    @Test func `a store that is not older than its journal is not restored`() async throws {
        let premises = try Premises.initialized()
        try await premises.fill()
        let refused = try premises.countersignd("restore", "--yes")
        #expect(refused.exitCode == 2)
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "0")
    }

    @Test(.timeLimit(.minutes(5)))
    func `a restore that is killed within its transaction changes nothing`() async throws {
        var premises = try await setBack()
        var before = try premises.sqlite3(".dump")
        let isLocked = "! sqlite3 \"$store\" 'BEGIN IMMEDIATE; ROLLBACK'"
        // On a busy machine, the transaction can end between two looks. Then a later one was stopped, or
        // none.
        var tries = 1
        while try !premises.kill("restore", steppingUntil: isLocked)
            || premises.sqlite3("SELECT epoch FROM verifier") != "0"
        {
            tries += 1
            try #require(tries < 50, "no look fell into the transaction")
            premises = try await setBack()
            before = try premises.sqlite3(".dump")
        }
        #expect(try premises.sqlite3(".dump") == before)
        #expect(try premises.countersignd("restore", "--yes").exitCode == 0)
        #expect(try premises.sqlite3("SELECT length(restore_id) FROM verifier") == "16")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    /// The hint of every other command names the restore.
    @Test(arguments: [false, true], [["restore"], ["restore", "--from-backup"]])
    func `a restore continues without the last head, and makes it again`(
        _ isDamaged: Bool,
        _ command: [String]
    ) async throws {
        let premises = try Premises.initialized()
        try await premises.fill()
        let head = premises.path("journal/journal.head")
        if isDamaged {
            try Data(count: 1024).write(to: URL(filePath: head))
        } else {
            try FileManager.default.removeItem(atPath: head)
        }
        let refused = try premises.countersignd("backup", premises.path("monday.db"))
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("only if it is lost, run countersignd restore"))
        let asked = try premises.countersignd(command)
        #expect(asked.exitCode != 0)
        #expect(
            asked.errorOutput.contains("journal.head does not exist, or is damaged. So results of")
        )
        #expect(try premises.sqlite3("SELECT epoch FROM verifier") == "0")
        let restored = try premises.countersignd(command + ["--yes"])
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(restored.output.contains("in epoch 1."))
        #expect(try premises.countersignd("backup", premises.path("monday.db")).exitCode == 0)
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `a restore needs the old key and recommends a rotation`() throws {
        let premises = try Premises.initialized()
        #expect(try premises.countersignd("backup", premises.path("monday.db")).exitCode == 0)
        #expect(try premises.countersignd("rotate", "--add-key").exitCode == 0)
        #expect(try premises.countersignd("rotate").exitCode == 0)
        try premises.copy("keys/encryption", to: "both")
        #expect(try premises.countersignd("rotate", "--remove-old-keys", "--yes").exitCode == 0)
        try premises.putBack("monday.db")
        let refused = try premises.countersignd("restore", "--yes")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("version 1 of the encryption key is not in"))
        try premises.copy("both", to: "keys/encryption")
        let restored = try premises.countersignd("restore", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(restored.output.contains("Next: run countersignd rotate"))
        #expect(try premises.countersignd("rotate").output.hasPrefix("Encrypted 1 of 1 secret"))
    }

    @Test(arguments: ["journal/journal", "journal"])
    func `a restore without a journal needs --journal-lost`(_ lost: String) async throws {
        let premises = try await setBack()
        #expect(try premises.countersignd("restore", "--journal-lost", "--yes").exitCode == 73)
        try premises.remove(lost)
        let refused = try premises.countersignd("restore", "--yes")
        #expect(refused.exitCode == 66)
        #expect(refused.errorOutput.contains("run countersignd restore --journal-lost"))
        let restored = try premises.countersignd("restore", "--journal-lost", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        let open = /Lost, as far as the backup shows: all records after record 3 of 2.* UTC\.\n/
        #expect(restored.output.contains(open))
        let end = "Approvals in this span are gone. Without a journal, its end is unknown.\n"
        #expect(restored.output.hasSuffix(end))
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }
}
