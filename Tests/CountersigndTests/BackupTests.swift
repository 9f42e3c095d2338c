import Foundation
import ProgramTesting
import Storage
import TestSupport
import Testing
import Verification

@Suite struct `countersignd backup` {
    @Test func `sqlite3 verifies the copy`() async throws {
        let premises = try Premises.initialized()
        try await premises.fill(activations: 3)
        let (_, store) = try await premises.open()
        let result = try premises.countersignd("backup", premises.path("copy.db"))
        await store.close()
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        #expect(result.output.contains("up to record 7"))
        #expect(try premises.sqlite3("PRAGMA integrity_check", in: "copy.db") == "ok")
        let count = "SELECT count(*) FROM audit"
        #expect(try premises.sqlite3(count, in: "copy.db") == "7")
        let mode = try FinishedProcess.run("stat", ["-c", "%a", premises.path("copy.db")])
        #expect(mode.output == "600\n")
    }

    @Test func `a backup overwrites no file`() throws {
        let premises = try Premises.initialized()
        try premises.write("mine", to: "copy.db")
        let refused = try premises.countersignd("backup", premises.path("copy.db"))
        #expect(refused.exitCode == 73)
        #expect(try premises.contents("copy.db") == Data("mine".utf8))
    }

    @Test func `a missing folder is reported`() throws {
        let premises = try Premises.initialized()
        let refused = try premises.countersignd("backup", premises.path("nowhere/copy.db"))
        #expect(refused.exitCode == 73)
        #expect(refused.errorOutput.contains("its folder does not exist"))
    }

    @Test(arguments: [
        "UPDATE audit SET actor = 'verifier' WHERE sequence = 2",
        "DELETE FROM audit WHERE sequence = 1",
        "UPDATE activations SET state = 99 WHERE id = (SELECT max(id) FROM activations "
            + "WHERE closed IS NOT NULL)",
    ])
    func `a store with a broken trail is copied, and the command exits with 1`(
        _ statement: String
    ) async throws {
        let premises = try Premises.initialized()
        try await premises.fill(activations: 3)
        #expect(try premises.sqlite3(statement) == "")
        let result = try premises.countersignd("backup", premises.path("copy.db"))
        #expect(result.exitCode == 1)
        #expect(result.output.hasSuffix("copy.db, up to record 7.\n"))
        #expect(
            result.errorOutput
                == "countersignd: the copy is complete, but its audit has 1 finding\n"
                + "hint: keep it and all earlier copies; countersignd audit verify lists the findings\n"
        )
        #expect(try premises.sqlite3("PRAGMA integrity_check", in: "copy.db") == "ok")
        let copies = try premises.files().filter { $0.hasPrefix("copy.db") }
        #expect(copies == ["copy.db"])
    }
}

/// The same condition as for `init`, which is killed in the same way.
@Suite(.killsAtSystemCalls) struct `A countersignd backup that is killed` {
    private func backUp(_ premises: Premises, under options: String...) throws -> FinishedProcess {
        try FinishedProcess.run(
            "strace",
            ["-f", "-qq", "-y", "-o", premises.path("calls")] + options
                + [
                    BuiltProducts.path(of: "countersignd"), "backup", premises.path("copy.db"),
                    "--config", premises.configuration,
                ]
        )
    }

    private func copies(in premises: Premises) throws -> [String] {
        try premises.files().filter { $0.hasPrefix("copy.db") || $0.hasSuffix(".incomplete") }
    }

    /// Kills each backup at another system call that changes files, until one completes.
    @Test(arguments: [
        ("pwrite64", 20), ("ftruncate", 1), ("fsync", 2), ("fdatasync", 1), ("renameat2", 1),
        ("unlink", 1), ("write", 1),
    ])
    func `leaves no copy or a verified one, and the next backup removes the rest`(
        _ call: String,
        oneOf count: Int
    ) async throws {
        let premises = try Premises.initialized()
        try await premises.fill(activations: 3)
        for step in Proof.steps(from: 1, to: 1000, oneOf: count) {
            let killed = try backUp(
                premises,
                under: "-e",
                "trace=\(call)",
                "-e",
                "inject=\(call):signal=KILL:when=\(step)"
            )
            guard killed.exitCode != 0 else {
                #expect(step > 1, "backup does not call \(call)")
                return
            }
            if try copies(in: premises).contains("copy.db") {
                #expect(try premises.sqlite3("PRAGMA integrity_check", in: "copy.db") == "ok")
                try premises.remove("copy.db")
            }
            let again = try premises.countersignd("backup", premises.path("copy.db"))
            #expect(again.exitCode == 0, "step \(step): \(again.errorOutput)")
            #expect(try copies(in: premises) == ["copy.db"], "step \(step)")
            try premises.remove("copy.db")
        }
        Issue.record("no backup completed")
    }

    @Test func `had no name before the audit of its trail ended`() async throws {
        let premises = try Premises.initialized()
        try await premises.fill(activations: 3)
        #expect(try backUp(premises, under: "-e", "trace=openat,renameat2,pread64").exitCode == 0)
        let calls = String(decoding: try premises.contents("calls"), as: UTF8.self)
            .split(separator: "\n")
        let naming = try #require(calls.lastIndex { $0.contains("/copy.db\"") })
        #expect(calls[naming].contains("renameat2("))
        let reads = calls[..<naming].count {
            $0.contains("pread64(") && $0.contains(".incomplete>")
        }
        #expect(reads > 0)
        // All checks used the temporary name; no descriptor of the named file is read.
        #expect(calls.count { $0.contains("/copy.db\"") || $0.contains("/copy.db>") } == 1)
    }
}

@Suite struct `A command over a broken audit trail` {
    private static let commands = [
        ["load", "accounts.csv"], ["backup", "copy.db"], ["policy", "set", "bank", "-"],
        ["rotate"], ["outbox", "list"],
    ]

    @Test(
        arguments: [
            ("DELETE FROM audit WHERE sequence = 7", "record 7 of the store differs"),
            ("DELETE FROM audit WHERE sequence > 5", "record 7 of the store differs"),
            (
                "INSERT INTO audit SELECT 8, moment, actor, kind, enterprise, account_type, "
                    + "account_id, subject, detail, traces, hash, tag FROM audit WHERE sequence = 7",
                "record 7 of the audit trail was changed"
            ),
            (
                // With and without the encryption keys, the message is another one.
                "UPDATE verifier SET audit_hash = zeroblob(32)", "changed"
            ),
        ],
        commands
    )
    func `a command rejects a trail that does not match its last signature`(
        _ change: (statement: String, message: String),
        _ words: [String]
    ) async throws {
        let premises = try Premises.initialized()
        try await premises.fill(activations: 3)
        try premises.write("enterprise,account_type,account_id\nbank,main,1\n", to: "accounts.csv")
        #expect(try premises.sqlite3(change.statement) == "")
        let before = try premises.sqlite3(".dump")
        let refused = try premises.countersignd(
            words.map { $0.contains(".") ? premises.path($0) : $0 }
        )
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains(change.message), "\(refused.errorOutput)")
        #expect(try premises.sqlite3(".dump") == before)
    }

    @Test func `a command signs a trail only if it continues the signed one`() async throws {
        let premises = try Premises.initialized()
        try await premises.fill(activations: 1)
        try premises.copy("journal/journal", to: "before")
        try await premises.fill(activations: 1)
        // The journal's signature covers the records up to 3.
        try premises.copy("before", to: "journal/journal")
        #expect(
            try premises.sqlite3("UPDATE audit SET actor = 'verifier' WHERE sequence = 4") == ""
        )
        let refused = try premises.countersignd("rotate")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("the row audit sequence=4 of the store"))
    }

    @Test func `a command ignores an older break, and the audit still finds it`() async throws {
        let premises = try Premises.initialized()
        try await premises.fill(activations: 3)
        try premises.write("enterprise,account_type,account_id\nbank,main,1\n", to: "accounts.csv")
        #expect(
            try premises.sqlite3("UPDATE audit SET actor = 'verifier' WHERE sequence = 2") == ""
        )
        let loaded = try premises.countersignd("load", premises.path("accounts.csv"))
        #expect(loaded.exitCode == 0, "\(loaded.errorOutput)")
        let audit = try premises.countersignd("audit", "verify")
        #expect(audit.exitCode == 1)
        #expect(audit.output.hasPrefix("record 2: changed"))
    }
}
