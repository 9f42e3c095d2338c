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
        // The journal can end with the line of the restore, before its record is signed.
        let journal = String(decoding: try premises.contents("copied"), as: UTF8.self)
        let lines = journal.split(separator: "\n").map { "\($0)\n" }
        let restore = try #require(lines.firstIndex { $0.contains(#""epoch":1,"#) })
        try write(lines[...restore].joined(), to: "cut")
        let cut = try judge("trail.jsonl", "cut")
        #expect(cut.exitCode == 0, "\(cut.errorOutput)")
        // A trail that ends before the restore hides the records that it discarded.
        let whole = String(decoding: try premises.contents("trail.jsonl"), as: UTF8.self)
        let before = whole.split(separator: "\n").prefix(11).map { "\($0)\n" }.joined()
        try write(before, to: "before.jsonl")
        for journal in ["cut", "copied"] {
            let hidden = try judge("before.jsonl", journal)
            #expect(hidden.exitCode == 1)
            #expect(hidden.errorOutput.contains("the trail lacks the restore of line"))
        }
    }

    @Test func `SEC-50: it refuses other forms of the same records and lines`() async throws {
        _ = try export()
        let trail = String(decoding: try premises.contents("trail.jsonl"), as: UTF8.self)
        let forms = [
            ("{\"sequence\":1,", "{\"note\":1,\"sequence\":1,"),
            ("\"sequence\":1,", "\"sequence\":true,"), ("\"sequence\":1,", "\"sequence\":1.0,"),
            ("\"sequence\":1,", "\"sequence\": 1,"),
            ("\"actor\":\"o", "\"actor\":\"\\u006f"), ("\"traces\":\"00", "\"traces\":\"00 "),
            ("\"bank\",\"subject\"", "\"bank\",\"account_type\":\"\",\"subject\""),
            ("\"detail\":\"\",", ""), ("}\n", "} \n"), ("}\n", "}\r\n"), ("{", "\u{FEFF}{"),
        ]
        for (old, new) in forms {
            let changed = trail.replacing(old, with: new, maxReplacements: 1)
            #expect(changed != trail, "\(old)")
            try write(changed, to: "changed.jsonl")
            let judged = try judge("changed.jsonl")
            #expect(judged.exitCode == 1, "\(new)")
            #expect(judged.errorOutput.contains("has another form"), "\(judged.errorOutput)")
        }
        let nested = String(repeating: "[", count: 100_000) + "\n"
        for unfinished in [String(trail.dropLast()), nested, "\(trail){\"sequence\":12,"] {
            try write(unfinished, to: "changed.jsonl")
            let judged = try judge("changed.jsonl")
            #expect(judged.exitCode == 1)
            #expect(judged.errorOutput.hasPrefix("not verified: record "))
        }
        // No later line has the hash of the last one.
        let journal = String(decoding: try premises.contents("copied"), as: UTF8.self)
        let lines = journal.split(separator: "\n").map { "\($0)\n" }
        let older: String = lines.dropLast().joined()
        let last = try #require(lines.last)
        for other in [last.uppercased(), last.replacing("{\"store", with: "{\"a\":1,\"store")] {
            try write(older + other, to: "other")
            let judged = try judge("trail.jsonl", "other")
            #expect(judged.exitCode == 1)
            #expect(judged.errorOutput.contains("has another form"), "\(judged.errorOutput)")
        }
        let signature = last.suffix(129).uppercased()
        try write("\(older)\(last.dropLast(129))\(signature)", to: "other")
        let capitals = try judge("trail.jsonl", "other")
        #expect(capitals.errorOutput.contains("the signature of line"), "\(capitals)")
    }

    /// Python writes each string as this program does.
    @Test func `SEC-50: it accepts each character that a record can contain`() async throws {
        let records = try export()
        let last = try #require(records.last)
        let controls: String = (1...0x1F).map { String(UnicodeScalar(UInt8($0))) }.joined()
        let subject = controls + "\"\\/\u{7F}\u{80}\u{2028}\u{FFFF}é日\u{1F600}"
        let event = Event(.rowForged, of: subject, in: nil)
        let new = try AuditHead(last).following(
            event,
            with: [],
            by: .operatorCommand,
            at: last.moment
        )
        try write(records + [new])
        let judged = try judge("changed.jsonl")
        #expect(judged.exitCode == 0, "\(judged.errorOutput)")
        #expect(judged.output == "12 records, signed up to record 9\n")
    }

    @Test func `SEC-50: it refuses a second decision on a transaction`() async throws {
        let records = try export()
        let id = String(repeating: "1", count: 32)
        for second: Event.Kind in [.transactionApproved, .transactionRejected] {
            var decided = records
            for kind: Event.Kind in [.transactionApproved, second] {
                let last = try #require(decided.last)
                let event = Event(kind, of: id, in: Premises.account)
                decided.append(
                    try AuditHead(last).following(
                        event,
                        with: [],
                        by: .operatorCommand,
                        at: last.moment
                    )
                )
            }
            try write(Array(decided.dropLast()))
            #expect(try judge("changed.jsonl").exitCode == 0)
            try write(decided)
            let judged = try judge("changed.jsonl")
            #expect(judged.exitCode == 1)
            #expect(judged.errorOutput.contains("record 13 decides again, after record 12"))
        }
    }

    @Test func `it reports a missing argument and a missing file`() async throws {
        let program = ReferenceCheckers.sources + "audit_trail.py"
        let incomplete = try FinishedProcess.run("python3", ["-I", "-B", program, "trail.jsonl"])
        #expect(incomplete.exitCode == 64)
        #expect(incomplete.errorOutput.hasPrefix("usage: "))
        _ = try export()
        let missing = try judge("missing.jsonl")
        #expect(missing.exitCode == 66)
        #expect(missing.errorOutput.hasPrefix("cannot read "), "\(missing.errorOutput)")
        let otherKey = try judge("trail.jsonl", "copied", "trail.jsonl")
        #expect(otherKey.exitCode == 1)
        #expect(otherKey.errorOutput.hasPrefix("not verified: malformed, "))
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
