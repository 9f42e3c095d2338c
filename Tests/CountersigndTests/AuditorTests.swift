import Foundation
import ProgramTesting
import Storage
import StrictJSON
import TestSupport
import Testing
import TransactionApproval
import Verification

/// An auditor has copies of the records and of the journal, and the public key of the journal.
@Suite struct `An auditor without a private key` {
    private let premises: Premises

    /// The journal has signed 9 records, and not the last one.
    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill(activations: 4)
        let (verifier, store) = try await premises.open(journaled: false)
        _ = try await verifier.issueActivation(for: Premises.account, by: .operatorCommand)
        await store.close()
        try write(try premises.countersignd("evidence", "key").output, to: "checkpoint.pub")
    }

    private func write(_ text: String, to name: String) throws {
        try premises.write(text, to: name)
    }

    // MARK: With an exported trail

    /// Runs the independent program of the documents.
    private func judge(
        _ trail: String = "trail.jsonl",
        _ journal: String = "copied",
        _ key: String = "checkpoint.pub"
    ) throws -> FinishedProcess {
        let program = ReferenceCheckers.sources + "audit_trail.py"
        // With -O, Python ignores its own assertions.
        let files = [trail, journal, key].map(premises.path)
        return try FinishedProcess.run("python3", ["-I", "-O", "-B", program] + files)
    }

    private func export() throws -> [AuditRecord] {
        try premises.copy("journal/journal", to: "copied")
        let path = premises.path("trail.jsonl")
        if FileManager.default.fileExists(atPath: path) { try premises.remove("trail.jsonl") }
        let export = try premises.countersignd("audit", "export", "-o", path)
        #expect(export.exitCode == 0, "\(export.errorOutput)")
        return try premises.contents("trail.jsonl").split(separator: 10).map {
            try AuditRecord(exported: Array($0))
        }
    }

    private func write(_ records: [AuditRecord]) throws {
        let lines = try records.map { String(decoding: try StrictJSON.encode($0), as: UTF8.self) }
        try write(lines.map { $0 + "\n" }.joined(), to: "changed.jsonl")
    }

    /// The same events with the hashes that a writer without keys can compute.
    private func chain(_ records: [AuditRecord]) throws -> [AuditRecord] {
        var head = AuditHead.empty
        return try records.map { record in
            let new = try head.following(
                record.event,
                with: record.traces,
                by: record.actor,
                at: record.moment
            )
            head = AuditHead(new)
            return new
        }
    }

    private static let revocation = Event(
        .deviceRevoked,
        of: String(repeating: "0", count: 32),
        in: Premises.account
    )

    @Test func `SEC-50: another program verifies an exported trail with a copy of the journal`()
        async throws
    {
        let records = try export()
        #expect(records.count == 11)
        let judged = try judge()
        #expect(judged.output == "11 records, signed up to record 9\n", "\(judged.errorOutput)")
        #expect(judged.exitCode == 0)

        for index in records.indices {
            var removed = records
            removed.remove(at: index)
            var inserted = records
            inserted.insert(records[index], at: index)
            // No file shows that unsigned records at the end are missing.
            let isLast = index == records.count - 1
            for (changed, isFound) in [(removed, !isLast), (inserted, true)] {
                try write(changed)
                #expect(try judge("changed.jsonl").exitCode == (isFound ? 1 : 0), "\(index)")
            }
        }
    }

    @Test func `SEC-50: it finds records that a writer changed, with hashes computed again`()
        async throws
    {
        let records = try export()
        try write(try chain(records))
        #expect(try judge("changed.jsonl").exitCode == 0)
        for index in records.indices {
            var removed = records
            removed.remove(at: index)
            var (inserted, changed) = (records, records)
            let new = try AuditHead(records[index]).following(
                Self.revocation,
                with: [],
                by: .operatorCommand,
                at: records[index].moment
            )
            inserted.insert(new, at: index)
            changed[index] = new
            for trail in [removed, inserted, changed] {
                try write(try chain(trail))
                let judged = try judge("changed.jsonl")
                // The journal has signed the records up to 9.
                #expect(judged.exitCode == (index < 9 ? 1 : 0), "\(index): \(judged.output)")
            }
        }
    }

    @Test func `SEC-50: it finds a journal that was changed, and another key`() async throws {
        _ = try export()
        let journal = String(decoding: try premises.contents("copied"), as: UTF8.self)
        let lines = journal.split(separator: "\n").map { "\($0)\n" }
        for index in lines.indices {
            var (removed, exchanged) = (lines, lines)
            removed.remove(at: index)
            exchanged.swapAt(index, (index + 1) % lines.count)
            let digits = lines[index].replacing("\"sequence\":", with: "\"sequence\":1")
            let changed = lines[..<index] + [digits] + lines[(index + 1)...]
            for other in [removed, exchanged, Array(changed)] {
                try write(other.joined(), to: "other")
                // A journal without its last lines is an older journal.
                let isOlder = other == Array(lines.dropLast())
                #expect(try judge("trail.jsonl", "other").exitCode == (isOlder ? 0 : 1), "\(index)")
            }
        }
        let other = try Premises.initialized()
        try write(try other.countersignd("evidence", "key").output, to: "other.pub")
        let foreign = try judge("trail.jsonl", "copied", "other.pub")
        #expect(foreign.exitCode == 1)
        #expect(foreign.errorOutput.contains("the key did not sign line 1 of the journal"))
    }

    @Test func `it accepts records that a restore discarded`() async throws {
        #expect(try premises.countersignd("backup", premises.path("copy.db")).exitCode == 0)
        try await premises.fill()
        try premises.putBack("copy.db")
        #expect(try premises.countersignd("restore", "--yes").exitCode == 0)
        _ = try export()
        let judged = try judge()
        #expect(judged.exitCode == 0, "\(judged.errorOutput)")
        #expect(judged.output.contains("\nrecord 12: a restore, epoch 1 lost 13 "))
        // Without the restore, the same lines show that records are missing.
        let whole = String(decoding: try premises.contents("trail.jsonl"), as: UTF8.self)
        let before = whole.split(separator: "\n").prefix(11).map { "\($0)\n" }.joined()
        try write(before, to: "before.jsonl")
        let missing = try judge("before.jsonl")
        #expect(missing.errorOutput.contains("the trail differs from line"), "\(missing)")
    }

    // MARK: With a copy of the store

    /// A folder with copies and the public key.
    private func copies() throws -> Premises {
        let auditor = try Premises()
        let files = FileManager.default
        for folder in ["store", "journal"] {
            try files.createDirectory(
                atPath: auditor.path(folder),
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
        }
        for name in ["journal/journal", "journal/journal.head", "checkpoint.pub"] {
            try files.copyItem(atPath: premises.path(name), toPath: auditor.path(name))
        }
        try files.copyItem(atPath: premises.configuration, toPath: auditor.configuration)
        let backup = try premises.countersignd("backup", auditor.store)
        #expect(backup.exitCode == 0, "\(backup.errorOutput)")
        return auditor
    }

    @Test func `SEC-50: audit verify and report work with the public key alone`() async throws {
        let auditor = try copies()
        let key = auditor.path("checkpoint.pub")
        let without = try auditor.countersignd("audit", "verify")
        #expect(without.exitCode == 66)
        let audit = try auditor.countersignd("audit", "verify", "--key", key)
        #expect(audit.exitCode == 0, "\(audit.output)\(audit.errorOutput)")
        #expect(
            audit.output == """
                Verified: 11 records, the store and the journal.
                Signatures cover the records up to 9.
                Not signed yet: 2 records at the end.
                Not checked, without the encryption keys: tags and secrets.

                """
        )
        let document = try auditor.countersignd("audit", "verify", "--json", "--key", key).output
        #expect(document.hasPrefix(#"{"records":11,"complete":true,"tags":false,"signed":9,"#))
        let report = try auditor.countersignd("audit", "report", "--key", key)
        #expect(report.exitCode == 0, "\(report.errorOutput)")
        #expect(report.output.contains("\nTags\tnot checked, without the encryption keys\n"))
        #expect(try !auditor.files().contains { $0.hasPrefix("keys/") })

        try auditor.sqlite3("UPDATE accounts SET muted_until = 5")
        let found = try auditor.countersignd("audit", "verify", "--key", key)
        #expect(found.exitCode == 1)
        #expect(
            found.output == """
                record 2: differs from the store in accounts enterprise=bank type=main id=4711
                Not checked, without the encryption keys: tags and secrets.

                """
        )
    }

    @Test func `SEC-50: audit verify refuses another key and a changed journal`() async throws {
        let auditor = try copies()
        let other = try Premises.initialized()
        try auditor.write(try other.countersignd("evidence", "key").output, to: "other.pub")
        let foreign = try auditor.countersignd(
            "audit",
            "verify",
            "--key",
            auditor.path("other.pub")
        )
        #expect(foreign.exitCode == 65)
        #expect(foreign.errorOutput.contains("is damaged, or signed by another key"))
        let malformed = try auditor.countersignd(
            "audit",
            "verify",
            "--key",
            auditor.path("journal/journal.head")
        )
        #expect(malformed.exitCode == 65)
        #expect(malformed.errorOutput.contains("does not contain a P-256 public key in PEM"))
        try auditor.sqlite3("DELETE FROM audit WHERE sequence = 9")
        let key = auditor.path("checkpoint.pub")
        let broken = try auditor.countersignd("audit", "verify", "--key", key)
        #expect(broken.exitCode == 1)
        #expect(broken.output.contains("record 9: missing"), "\(broken.output)")
    }

    /// Also a journal that the auditor cannot write to.
    @Test func `audit verify opens the journal only for reading`() async throws {
        let auditor = try copies()
        let calls = try FinishedProcess.run(
            "strace",
            [
                "-f", "-e", "trace=openat", BuiltProducts.path(of: "countersignd"), "audit",
                "verify", "--key", auditor.path("checkpoint.pub"), "--config",
                auditor.configuration,
            ]
        ).errorOutput
        let opened = calls.split(separator: "\n").filter { $0.contains("/journal/journal") }
        #expect(opened.count >= 2)
        #expect(!opened.contains { $0.contains("O_RDWR") || $0.contains("O_WRONLY") }, "\(opened)")
    }
}
