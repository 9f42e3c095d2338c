import Foundation
import ProgramTesting
import TestSupport
import Testing

/// A store of the release before rows had tags.
@Suite struct `countersignd adopt` {
    private let premises: Premises

    init() throws {
        premises = try Premises.ofEarlierRelease()
    }

    @Test func `until then, the verifier and the commands reject the store`() throws {
        for words in [["run"], ["audit", "verify"], ["rotate"], ["token", "list"]] {
            let refused = try premises.countersignd(words)
            #expect(refused.exitCode == 65, "\(words)")
            #expect(refused.errorOutput.contains("have no tags yet"), "\(refused.errorOutput)")
            #expect(refused.errorOutput.contains("hint: run countersignd adopt"))
        }
    }

    @Test func `needs a confirmation, and then adds a tag to each row`() throws {
        let unconfirmed = try premises.countersignd("adopt")
        #expect(unconfirmed.exitCode == 64, "\(unconfirmed.errorOutput)")
        let adopted = try premises.onTerminal("adopt", typing: "y\n")
        #expect(adopted.output.contains("Trust all rows of the store as they are?"))
        let tags = try #require(adopted.output.firstMatch(of: /Added (\d+) tags to the rows/)).1
        #expect(try #require(Int(tags)) > 50)
        let again = try premises.countersignd("adopt", "--yes")
        #expect(again.output == "Nothing to do: the rows of the store have tags.\n")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
        #expect(try adoptions() == "1")
        #expect(try RunningVerifier(premises.serving()).stop() == 0)
    }

    @Test func `rejects a store that contradicts its trail`() throws {
        let change =
            "UPDATE credentials SET consecutive_failures = 0 WHERE consecutive_failures > 0"
        try premises.sqlite3(change + "; UPDATE accounts SET person = NULL")
        let refused = try premises.countersignd("adopt", "--yes")
        #expect(refused.exitCode == 65)
        #expect(
            refused.errorOutput.contains("contradicts its audit trail"),
            "\(refused.errorOutput)"
        )
        #expect(try premises.sqlite3("SELECT count(*) FROM accounts WHERE tag IS NOT NULL") == "0")
    }

    /// The journal knows that the store had tags.
    @Test func `SEC-101: is refused for a store whose tags were removed`() throws {
        try adoptAndRemoveTags()
        let refused = try premises.countersignd("adopt", "--yes")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("had tags before, and they were removed"))
        #expect(try premises.countersignd("run").exitCode == 65)
    }

    @Test func `SEC-101: a restore does not trust a store whose tags were removed`() throws {
        try adoptAndRemoveTags()
        try premises.sqlite3("UPDATE verifier SET is_backup = 1")
        let refused = try premises.countersignd("restore", "--yes")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("had tags before, and they were removed"))
        #expect(try premises.sqlite3("SELECT count(tag) FROM credentials") == "0")
        #expect(try premises.sqlite3("SELECT count(tag) FROM verifier") == "0")
    }

    private func adoptAndRemoveTags() throws {
        #expect(try premises.countersignd("adopt", "--yes").exitCode == 0)
        let tables = [
            "verifier", "enterprises", "accounts", "activations", "devices", "credentials",
            "transactions", "archived_transactions", "logins", "attempts", "bank_tokens",
            "bank_calls", "audit",
        ]
        try premises.sqlite3(tables.map { "UPDATE \($0) SET tag = NULL;" }.joined())
        try premises.sqlite3("UPDATE credentials SET failures_tag = NULL")
        try premises.sqlite3("UPDATE devices SET notifications_tag = NULL")
    }

    /// It is killed at writes of tags to the disk.
    @Test(.killsAtSystemCalls) func `is completed after it was killed`() throws {
        var partial = 0
        for number in Proof.steps(from: 1, to: 1000, oneOf: 3) {
            let premises = try Premises.ofEarlierRelease()
            // Without a terminal it stops before the tags, and has added their columns.
            #expect(try premises.countersignd("adopt").exitCode == 64)
            guard try premises.kill("adopt", "--yes", at: "fdatasync", number: number) else {
                #expect(
                    partial > (Proof.isComplete ? 5 : 1),
                    "\(partial) states with some of the tags"
                )
                return
            }
            if try premises.sqlite3(Self.hasSomeTags) == "1" {
                partial += 1
                #expect(try premises.countersignd("audit", "verify").exitCode == 65)
            }
            let completed = try premises.countersignd("adopt", "--yes")
            #expect(completed.exitCode == 0, "write \(number): \(completed.errorOutput)")
            let audit = try premises.countersignd("audit", "verify")
            #expect(audit.exitCode == 0, "write \(number): \(audit.output)\(audit.errorOutput)")
            #expect(try premises.sqlite3(Self.countAdoptions) == "1", "write \(number)")
        }
        Issue.record("no adoption completed")
    }

    @Test func `is part of the restore of an earlier release's backup`() throws {
        try premises.sqlite3("UPDATE verifier SET is_backup = 1")
        let restored = try premises.onTerminal("restore", typing: "y\ny\n")
        #expect(restored.output.contains("The restore trusts all rows as they are."))
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
        #expect(try adoptions() == "1")
    }

    @Test func `is part of the restore of a backup from before an adoption`() throws {
        try premises.copy("store/countersign.db", to: "old.db")
        #expect(try premises.countersignd("adopt", "--yes").exitCode == 0)
        try premises.putBack("old.db")
        let restored = try premises.countersignd("restore", "--yes")
        #expect(restored.exitCode == 0, "\(restored.errorOutput)")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    private func adoptions() throws -> String {
        try premises.sqlite3(Self.countAdoptions)
    }

    private static let hasSomeTags = """
        SELECT (SELECT count(tag) FROM enterprises) > 0 AND (SELECT count(tag) FROM verifier) = 0
        """

    private static let countAdoptions =
        "SELECT count(*) FROM audit WHERE kind = 'store.adopted'"
}

extension Premises {
    /// The files of the last release without tags.
    fileprivate static func ofEarlierRelease() throws -> Premises {
        let premises = try Premises.initialized()
        let source = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Stores/version-5.sqlite").path
        let files = [
            "keys": "keys/encryption", "agreement-key": "keys/agreement",
            "audit-key": "keys/checkpoint", "journal": "journal/journal",
        ]
        for (name, target) in files {
            let text = try String(contentsOfFile: source + "/" + name, encoding: .utf8)
            try premises.remove(target)
            try premises.write(text, to: target)
        }
        // That release did not have this file.
        try premises.remove("journal/journal.head")
        try premises.write("", to: "empty.db")
        try premises.sqlite3(".read '\(source)/store.sql'", in: "empty.db")
        try premises.putBack("empty.db")
        return premises
    }

    fileprivate func serving() throws -> Premises {
        try serve()
        return self
    }
}
