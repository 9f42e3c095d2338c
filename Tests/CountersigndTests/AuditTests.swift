import Foundation
import ProgramTesting
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification

@Suite struct `countersignd audit` {
    private func filled(activations: Int = 4) async throws -> Premises {
        let premises = try Premises.initialized()
        try await premises.fill(activations: activations)
        return premises
    }

    @Test func `verify accepts an intact trail while a verifier is running`() async throws {
        let premises = try await filled()
        let (_, store) = try await premises.open()
        let audit = try premises.countersignd("audit", "verify")
        await store.close()
        #expect(audit.exitCode == 0, "\(audit.errorOutput)")
        #expect(
            audit.output == """
                Verified: 9 records, the store and the journal.
                Signatures cover the records up to 9.

                """
        )
        #expect(audit.errorOutput.isEmpty)
        let document =
            #"{"records":9,"complete":true,"tags":true,"signed":9,"restored":[],"findings":[]}"#
        #expect(try premises.countersignd("audit", "verify", "--json").output == document + "\n")
    }

    @Test(arguments: [
        ("UPDATE audit SET actor = 'verifier' WHERE sequence = 4", "record 4: changed"),
        ("DELETE FROM audit WHERE sequence = 5", "record 5: missing"),
        ("DELETE FROM audit WHERE sequence = 9", "record 9: the end of the trail does not match"),
        (
            "UPDATE activations SET (closed, state, code) = "
                + "(SELECT closed, state, code FROM activations WHERE closed IS NULL)",
            "differs from the store in activations id="
        ),
        (
            "UPDATE activations SET state = 99 WHERE closed IS NULL",
            "record 9: differs from the store in activations id="
        ),
        (
            "UPDATE activations SET account_type = CAST(x'ff' AS TEXT) WHERE closed IS NULL",
            "record 9: differs from the store in activations id="
        ),
        (
            "DELETE FROM accounts",
            "record 2: accounts enterprise=bank type=main id=4711 is missing from the store"
        ),
        (
            "INSERT INTO credentials VALUES (x'00', 99, x'00', 0, 0, 0, 0, x'00', 0, NULL, 0, 0, "
                + "NULL, 0, x'', NULL, NULL)",
            "no record: credentials device=00 kind=99"
        ),
    ])
    func `verify names the first wrong record and exits with 1`(
        statement: String,
        finding: String
    ) async throws {
        let premises = try await filled()
        #expect(try premises.sqlite3(statement) == "")
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 1)
        #expect(audit.output.contains(finding), "\(audit.output)")
        #expect(audit.errorOutput.hasPrefix("countersignd: the audit has "))
    }

    @Test func `verify reports a broken trail as not compared, and still names a forged row`()
        async throws
    {
        let premises = try await filled()
        let forgery = "UPDATE enterprises SET policy = '{}  '"
        #expect(try premises.sqlite3(forgery) == "")
        let compared = try premises.countersignd("audit", "verify")
        #expect(!compared.output.contains("Not compared"), "\(compared.output)")
        #expect(try premises.sqlite3("DELETE FROM audit WHERE sequence = 5") == "")
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 1)
        #expect(
            audit.output == """
                record 5: missing, or replaced by another record
                enterprises id=bank: another program wrote this row
                Not compared: the rows with their records. The trail is broken.

                """
        )
        let document = try premises.countersignd("audit", "verify", "--json").output
        #expect(document.hasPrefix(#"{"records":4,"complete":false,"#), "\(document)")
    }

    @Test func `verify and export find a complete trail that differs from the journal`()
        async throws
    {
        let premises = try await filled()
        for name in ["store/countersign.db", "journal/journal", "journal/journal.head"] {
            try premises.copy(name, to: "before-" + name.replacing("/", with: "-"))
        }
        try await premises.fill()
        try premises.copy("journal/journal", to: "seen")
        // The same changes again, in other records.
        try premises.putBack("before-store-countersign.db")
        try premises.copy("before-journal-journal", to: "journal/journal")
        try premises.copy("before-journal-journal.head", to: "journal/journal.head")
        try await premises.fill()
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)

        try premises.copy("seen", to: "journal/journal")
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 1)
        #expect(
            audit.output
                == "record 11: differs from the journal; the last matching record is 9\n"
        )
        let export = try premises.countersignd("audit", "export")
        #expect(export.exitCode == 1)
        #expect(
            export.errorOutput == """
                countersignd: record 11 of the store differs from the one in its journal; all \
                readable records are exported
                hint: countersignd audit verify lists the findings

                """
        )
        let count = try premises.sqlite3("SELECT count(*) FROM audit")
        #expect(String(export.output.split(separator: "\n").count) == count)
    }

    @Test func `verify escapes control characters`() async throws {
        let premises = try await filled()
        try premises.sqlite3(
            "INSERT INTO accounts (enterprise, type, id) "
                + "VALUES ('bank', 'main', char(27) || '[2Jall is well')"
        )
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 1)
        #expect(!audit.output.contains("\u{1B}"))
        #expect(audit.output.contains("id=\\u{1B}[2Jall is well"))
    }

    @Test func `SEC-50: verify prints the last signed record`() async throws {
        let premises = try await filled()
        let (verifier, store) = try await premises.open()
        let account = AccountReference(
            enterprise: Premises.account.enterprise,
            key: AccountKey(type: Premises.account.key.type, id: AccountID(checked: "4712"))
        )
        _ = try await verifier.addAccount(account, by: .operatorCommand)
        await store.close()
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 0)
        #expect(
            audit.output == """
                Verified: 10 records, the store and the journal.
                Signatures cover the records up to 9.
                Not signed yet: 1 record at the end.

                """
        )
    }

    @Test func `SEC-04: verify needs the file of the last head`() async throws {
        let premises = try await filled()
        try premises.remove("journal/journal.head")
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 1)
        let finding =
            "no record: the file with the last head, next to the journal, is missing or damaged"
        #expect(audit.output == finding + "\n")
        #expect(audit.errorOutput.contains("put the file back; only if it is lost, run"))
    }

    @Test func `verify lists the restores`() async throws {
        let premises = try await filled()
        #expect(try premises.countersignd("backup", premises.path("copy.db")).exitCode == 0)
        try await premises.fill()
        try premises.putBack("copy.db")
        #expect(try premises.countersignd("restore", "--yes").exitCode == 0)
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 0, "\(audit.errorOutput)")
        let restore =
            "\nRecord 10: a restore from a backup (epoch 1; the journal ended at record 11).\n"
        #expect(audit.output.contains(restore), "\(audit.output)")
    }

    @Test func `verify shows a progress bar on a terminal`() async throws {
        let premises = try await filled()
        let shown = try premises.onTerminal("audit verify")
        #expect(shown.exitCode == 0)
        let full = "[########################] 100 %"
        #expect(shown.output.contains("\rVerifying \(full), 9 of 9"))
        #expect(shown.output.contains("\rComparing rows \(full), "))
        #expect(
            shown.output.hasSuffix(
                "\r\u{1B}[KVerified: 9 records, the store and the journal.\r\n"
                    + "Signatures cover the records up to 9.\r\n"
            )
        )
    }

    /// Computes the hash chain from the exported lines.
    private static let checker = """
        import hashlib, json, struct, sys

        previous, count = bytes(32), 0
        text = lambda value: struct.pack(">I", len(value)) + value

        for line in open(sys.argv[1], "rb"):
            record = json.loads(line)
            names = ["enterprise", "account_type", "account_id", "subject", "detail"]
            fields = [record.get(name, "").encode() for name in names]

            message = text(b"countersign audit record 1") + struct.pack(">Q", record["moment"])
            message += text(record["actor"].encode()) + text(record["kind"].encode())
            message += b"".join(text(field) for field in fields)
            message += text(bytes.fromhex(record["traces"]))
            digest = hashlib.sha256(message).digest()

            message = text(b"countersign audit 2") + text(previous)
            message += struct.pack(">Q", record["sequence"]) + text(digest)
            previous, count = hashlib.sha256(message).digest(), count + 1
            assert record["sequence"] == count and record["hash"] == previous.hex(), count
        print(count)
        """

    @Test func `another program computes the same hash chain from an export`()
        async throws
    {
        let premises = try await filled()
        let file = premises.path("audit.jsonl")
        let export = try premises.countersignd("audit", "export", "--output", file)
        #expect(export.exitCode == 0, "\(export.errorOutput)")
        #expect(export.output.isEmpty)
        let check = try FinishedProcess.run("python3", ["-c", Self.checker, file])
        #expect(check.output == "9\n", "\(check.errorOutput)")
        #expect(
            try premises.countersignd("audit", "export").output
                == String(decoding: premises.contents("audit.jsonl"), as: UTF8.self)
        )
        #expect(try FinishedProcess.run("stat", ["-c", "%a", file]).output == "600\n")

        let changed = String(decoding: try premises.contents("audit.jsonl"), as: UTF8.self)
            .replacing("\"operator\"", with: "\"verifier\"", maxReplacements: 1)
        try premises.write(changed, to: "changed.jsonl")
        let words = ["-c", Self.checker, premises.path("changed.jsonl")]
        #expect(try FinishedProcess.run("python3", words).exitCode == 1)
    }

    @Test func `export refuses to start after a record that does not exist`() async throws {
        let premises = try await filled()
        let export = try premises.countersignd("audit", "export", "--after", "10")
        #expect(export.exitCode == 66 && export.output.isEmpty)
        #expect(
            export.errorOutput == """
                countersignd: there is no such record: the last one is 9
                hint: after a restore, continue after the last record of the backup

                """
        )
    }

    @Test(arguments: [("0", 9), ("8", 1), ("9", 0)])
    func `export starts after the given record`(after: String, count: Int) async throws {
        let premises = try await filled()
        let export = try premises.countersignd("audit", "export", "--after", after)
        #expect(export.exitCode == 0)
        #expect(export.output.split(separator: "\n").count == count)
    }

    @Test(arguments: [
        ("DELETE FROM audit WHERE sequence = 5", 5, 8),
        ("UPDATE audit SET actor = 'verifier' WHERE sequence = 5", 5, 9),
        ("UPDATE audit SET actor = 'nobody' WHERE sequence = 5", 5, 8),
        ("UPDATE audit SET detail = CAST(x'ff' AS TEXT) WHERE sequence = 5", 5, 8),
        ("UPDATE audit SET sequence = 50 WHERE sequence = 5", 5, 8),
        // The last one that the journal has signed.
        ("UPDATE audit SET detail = 'other' WHERE sequence = 9", 9, 9),
        ("DELETE FROM audit WHERE sequence = 9", 9, 8),
    ])
    func `SEC-50: export reports a break, exports all readable records, and exits with 1`(
        statement: String,
        broken: Int,
        count: Int
    ) async throws {
        let premises = try await filled()
        #expect(try premises.sqlite3(statement) == "")
        let export = try premises.countersignd("audit", "export")
        #expect(export.exitCode == 1)
        #expect(export.output.split(separator: "\n").count == count)
        #expect(export.errorOutput.contains("the trail is broken at record \(broken);"))
        let file = premises.path("left.jsonl")
        #expect(try premises.countersignd("audit", "export", "-o", file).exitCode == 1)
        #expect(try Data(export.output.utf8) == premises.contents("left.jsonl"))
    }

    @Test(arguments: [("3", 1), ("4", 1), ("5", 0)])
    func `SEC-50: export finds a break only after its start`(
        after: String,
        exitCode: Int32
    ) async throws {
        let premises = try await filled()
        #expect(try premises.sqlite3("UPDATE audit SET moment = 5 WHERE sequence = 5") == "")
        let export = try premises.countersignd("audit", "export", "--after", after)
        #expect(export.exitCode == exitCode)
    }

    @Test func `export overwrites no file and leaves no incomplete file`() async throws {
        let premises = try await filled(activations: 150)
        try premises.write("mine", to: "mine.jsonl")
        let before = try premises.files()
        let mine = premises.path("mine.jsonl")
        #expect(try premises.countersignd("audit", "export", "-o", mine).exitCode == 73)
        // The thread sanitizer writes larger files itself.
        let limited = try FinishedProcess.run(
            "sh",
            [
                "-c", "ulimit -f 96; TMPDIR=/proc exec \"$@\"", "sh",
                BuiltProducts.path(of: "countersignd"), "audit", "export", "-o",
                premises.path("full.jsonl"), "--config", premises.configuration,
            ]
        )
        #expect(limited.exitCode == 74, "\(limited.errorOutput)")
        #expect(limited.errorOutput.contains("is full\n"))
        #expect(try premises.files() == before)
    }

    @Test func `export stops when its reader closes the pipe and when the disk is full`()
        async throws
    {
        let premises = try await filled()
        let program = BuiltProducts.path(of: "countersignd")
        let export = "\(program) audit export --config \(premises.configuration)"
        let left = try FinishedProcess.run(
            "bash",
            ["-c", "\(export) | true; exit ${PIPESTATUS[0]}"]
        )
        #expect([0, 74].contains(left.exitCode))
        let full = try FinishedProcess.run("sh", ["-c", "\(export) >/dev/full"])
        #expect(full.exitCode == 74)
        #expect(full.errorOutput.contains("No space left on device"))
    }
}
