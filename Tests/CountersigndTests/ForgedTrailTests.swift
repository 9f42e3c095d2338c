import Foundation
import ProgramTesting
import TestSupport
import Testing
import TransactionApproval
import Verification

/// A writer to the database has no keys, but computes hashes.
@Suite struct `An audit of a store that another program changed` {
    private let premises: Premises

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill(activations: 4)
    }

    /// Adds a record at the end, and changes the verifier's own row.
    private func appendRecord() throws {
        let lines = try premises.countersignd("audit", "export").output.split(separator: "\n")
        let last = try AuditRecord(exported: Array(try #require(lines.last).utf8))
        let new = try AuditHead(last).following(
            Event(
                .deviceRevoked,
                of: String(repeating: "0", count: 32),
                in: Premises.account
            ),
            with: [],
            by: .operatorCommand,
            at: last.moment
        )
        let hash = "x'" + new.hash.map { String(format: "%02x", $0) }.joined() + "'"
        let statement = """
            INSERT INTO audit (sequence, moment, actor, kind, enterprise, account_type, account_id, \
            subject, detail, traces, hash) VALUES (\(new.sequence), \(new.moment.milliseconds), \
            'operator', 'device.revoked', 'bank', 'main', '4711', '\(new.event.subject)', '', x'', \
            \(hash)); UPDATE verifier SET audit_sequence = \(new.sequence), audit_hash = \(hash)
            """
        #expect(try premises.sqlite3(statement) == "")
    }

    private static let ownRow =
        "verifier id=1: another program wrote this row, or the encryption keys are old, or those of "
        + "another store"

    @Test func `SEC-101: export reports a forged record at the end, and exits with 1`()
        async throws
    {
        try appendRecord()
        let export = try premises.countersignd("audit", "export")
        #expect(export.exitCode == 1)
        #expect(export.output.split(separator: "\n").count == 10)
        #expect(
            export.errorOutput == """
                Not checked: the tags of the records. Signatures cover the records up to 9.
                countersignd: \(Self.ownRow); all readable records are exported
                hint: countersignd audit verify lists the findings

                """
        )
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 1)
        #expect(
            audit.output == """
                \(Self.ownRow)
                Not checked, without the encryption keys: tags and secrets.

                """
        )
    }

    @Test func `SEC-101: export names a record without a valid tag`() async throws {
        // The hash of the record is still right.
        #expect(try premises.sqlite3("UPDATE audit SET tag = NULL WHERE sequence = 4") == "")
        let export = try premises.countersignd("audit", "export")
        #expect(export.exitCode == 1)
        #expect(export.output.split(separator: "\n").count == 9)
        #expect(export.errorOutput.contains("another program wrote record 4; all readable"))
        let later = try premises.countersignd("audit", "export", "--after", "4")
        #expect(later.exitCode == 0, "\(later.errorOutput)")
    }

    @Test func `SEC-50: export without the encryption keys reports the last signed record`()
        async throws
    {
        try appendRecord()
        let text = String(decoding: try premises.contents("countersignd.json"), as: UTF8.self)
        let other = text.replacing("keys/encryption", with: "descriptor:9")
        try premises.write(other, to: "countersignd.json")
        let export = try FinishedProcess.run(
            "sh",
            [
                "-c", "exec \"$@\" 9<\(premises.path("keys/encryption"))", "sh",
                BuiltProducts.path(of: "countersignd"), "audit", "export", "--config",
                premises.configuration,
            ]
        )
        #expect(export.exitCode == 0)
        #expect(export.output.split(separator: "\n").count == 10)
        let note = "Not checked: the tags of the records. Signatures cover the records up to 9.\n"
        #expect(export.errorOutput == note)
    }

    /// An attacker hides other changes behind a change of the verifier's own row.
    @Test(arguments: [
        "tag = zeroblob(28)", "tag = NULL", "tag = x'00'", "epoch = 7",
        // Under a key version that does not exist.
        "tag = x'0000270f\(String(repeating: "00", count: 24))'", "store_id = randomblob(16)",
    ])
    func `SEC-101: verify reports the verifier's own row, and still compares all others`(
        _ change: String
    ) async throws {
        let statement = "UPDATE accounts SET muted_until = 5; UPDATE verifier SET \(change)"
        #expect(try premises.sqlite3(statement) == "")
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 1, "\(audit.errorOutput)")
        #expect(audit.output.hasPrefix(Self.ownRow + "\n"), "\(audit.output)")
        let account = "differs from the store in accounts enterprise=bank type=main id=4711\n"
        #expect(audit.output.contains(account), "\(audit.output)")
        let isForeign = change.hasPrefix("store_id")
        #expect(audit.output.contains("the journal belongs to another store") == isForeign)
        #expect(audit.errorOutput.contains("hint: check the file of encryptionKeys; if it is"))
        let report = try premises.countersignd("audit", "report", "--json")
        #expect(report.exitCode == 1)
        #expect(report.output.contains(#""tags":false"#))
    }

    // MARK: Rows that an index hides

    /// Leaves a row out of an index, whose definition is the same afterwards.
    private static let hiding = [
        definition("sql || ' WHERE closed IS NOT NULL'"), "REINDEX activations_of_account",
        definition("substr(sql, 1, instr(sql, ' WHERE ') - 1)"),
    ]

    private static func definition(_ sql: String) -> String {
        """
        PRAGMA writable_schema = on; UPDATE sqlite_schema SET sql = \(sql) \
        WHERE name = 'activations_of_account'; PRAGMA writable_schema = reset
        """
    }

    private func hideFromIndex() throws {
        for statement in Self.hiding {
            #expect(try premises.sqlite3(statement) == "")
        }
        let count = "SELECT count(*) FROM activations WHERE enterprise = 'bank'"
        #expect(try premises.sqlite3(count) == "3")
    }

    @Test(arguments: ["verify", "report"])
    func `SEC-101: finds a row that an edited index hides`(_ command: String) async throws {
        try hideFromIndex()
        let audit = try premises.countersignd("audit", command)
        #expect(audit.exitCode == 65)
        #expect(audit.errorOutput.contains("is damaged"), "\(audit.errorOutput)")
    }
}
