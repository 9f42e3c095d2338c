import Foundation
import ProgramTesting
import TestSupport
import Testing
import TransactionApproval

@testable import Sealing
@testable import Storage
@testable import Verification

private let secret = "3132333435363738393031323334353637383930"

/// Exports imported tokens, and reads the document with other programs.
@Suite struct `countersignd export` {
    private let premises: Premises

    init() throws {
        premises = try Premises.initialized()
        try premises.write(#"{"minimumTokenDigits": 6}"#, to: "policy.json")
        let policy = premises.path("policy.json")
        let set = try premises.countersignd("policy", "set", "bank", policy, "--new")
        try #require(set.exitCode == 0, "\(set.errorOutput)")
        try premises.write(
            """
            enterprise,account_type,account_id,token_serial,token_secret_hex,token_algorithm,\
            token_digits,token_counter
            bank,main,4711,S-1,\(secret),SHA256,8,42
            bank,main,4712,S-2,\(secret),SHA1,6,0
            bank,other,4713,S-3,\(secret),SHA1,6,0

            """,
            to: "accounts.csv"
        )
        let loaded = try premises.countersignd("load", premises.path("accounts.csv"))
        try #require(loaded.exitCode == 0, "\(loaded.errorOutput)")
        let key = try FinishedProcess.run("openssl", ["rand", "-hex", "32"])
        try premises.write(key.output, to: "transport.key")
    }

    private func export(to name: String = "out.xml", type: String = "main") throws
        -> FinishedProcess
    {
        try premises.countersignd(
            "export",
            "--pskc",
            premises.path(name),
            "--key",
            premises.path("transport.key"),
            "--enterprise",
            "bank",
            "--account-type",
            type
        )
    }

    private var standings: String {
        get throws {
            try premises.sqlite3("SELECT name, status FROM devices ORDER BY name, status")
        }
    }

    @Test(
        .enabled("pskc-utils is not installed") {
            try FinishedProcess.run("which", ["pskc2csv"]).exitCode == 0
        }
    )
    func `another program imports the exported tokens, and they are revoked here`() throws {
        let left = try export()
        #expect(left.exitCode == 0, "\(left.errorOutput)")
        let document = premises.path("out.xml")
        #expect(left.output == "Exported 2 tokens to \(document), and revoked here.\n")
        let permissions = try FinishedProcess.run("stat", ["-c", "%a", document])
        #expect(permissions.output == "600\n")
        let text = String(decoding: try premises.contents("out.xml"), as: UTF8.self)
        #expect(!text.contains("PlainValue>MTIz"))
        let key = String(decoding: try premises.contents("transport.key"), as: UTF8.self)
        let read = try FinishedProcess.run(
            "pskc2csv",
            [
                "-e", "hex", "-c", "serial,userid,secret,counter,response_length", "--secret",
                key.trimmingCharacters(in: .newlines), document,
            ]
        )
        let rows = Set(read.output.split(whereSeparator: \.isNewline).map(String.init))
        #expect(
            rows.isSuperset(of: ["S-1,4711,\(secret),42,8", "S-2,4712,\(secret),0,6"]),
            "\(read.output)\(read.errorOutput)"
        )
        let valid = try FinishedProcess.run("pskctool", ["--validate", document])
        #expect(valid.output == "OK\n")

        #expect(try standings == "S-1|3\nS-2|3\nS-3|1")
        let kinds = "SELECT kind, detail FROM audit WHERE kind LIKE 'device.token-exp%'"
        #expect(
            try premises.sqlite3(kinds) == "device.token-exported|S-1\ndevice.token-exported|S-2"
        )
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
        #expect(try export(to: "more.xml").exitCode == 2)
        #expect(try !premises.files().contains { $0.hasPrefix("more.xml") })

        // Imported again, the tokens keep their used counters.
        let back = try premises.countersignd(
            "load",
            document,
            "--format",
            "pskc",
            "--enterprise",
            "bank",
            "--account-type",
            "main",
            "--key",
            premises.path("transport.key")
        )
        #expect(back.exitCode == 0, "\(back.errorOutput)")
        #expect(try standings == "S-1|1\nS-1|3\nS-2|1\nS-2|3\nS-3|1")
        let counter = """
            SELECT counter FROM credentials JOIN devices ON device = devices.id
            WHERE name = 'S-1' AND devices.status = 1
            """
        #expect(try premises.sqlite3(counter) == "42")
    }

    /// The maximum of one export; the first two are those of every test.
    private func loadMany() throws {
        let rows = (3...200).map { "bank,main,A\($0),M-\($0),\(secret),SHA1,6,0\n" }
        try premises.write(
            """
            enterprise,account_type,account_id,token_serial,token_secret_hex,token_algorithm,\
            token_digits,token_counter

            """ + rows.joined(),
            to: "many.csv"
        )
        let loaded = try premises.countersignd("load", premises.path("many.csv"))
        try #require(loaded.exitCode == 0, "\(loaded.errorOutput)")
    }

    @Test func `the document is deleted if another process revoked a token first`() async throws {
        try loadMany()
        try premises.sqlite3("PRAGMA wal_checkpoint(TRUNCATE)")
        try premises.copy("store/countersign.db", to: "later.db")
        try await premises.revoke("4712", in: "later.db")
        // It runs between the export and the revocation, while 200 secrets are decrypted.
        let revocation = """
            import sqlite3, sys

            store = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
            store.execute("ATTACH ? AS later", (sys.argv[2],))
            exported = "SELECT 1 FROM audit WHERE kind = 'device.token-exported'"
            while not store.execute(exported).fetchone():
                pass
            store.execute(
                "UPDATE devices SET (status, tag) = "
                "(SELECT status, tag FROM later.devices WHERE name = 'S-2') WHERE name = 'S-2'"
            )
            """
        let other = Process()
        other.executableURL = URL(filePath: "/usr/bin/python3")
        other.arguments = ["-c", revocation, premises.store, premises.path("later.db")]
        try other.start()
        defer { other.terminate() }
        let failed = try export()
        #expect(failed.exitCode == 75, "\(failed.output)")
        let document = premises.path("out.xml")
        #expect(
            failed.errorOutput == """
                countersignd: one of these tokens was used, exported or revoked at the same time; \
                \(document) was deleted
                hint: repeat the command

                """
        )
        #expect(try !premises.files().contains { $0.hasPrefix("out.xml") })
        let again = try export()
        #expect(again.output.hasPrefix("Exported 199 tokens to \(document), and revoked here.\n"))
    }

    @Test(
        .enabled("unprivileged user namespaces are needed to mount a small disk") {
            try SmallDisk.mayBeMounted.get()
        }
    )
    func `the document is kept if a failure follows that leaves the tokens revoked`() throws {
        // Their revocations need more room than the last page of the journal has.
        try loadMany()
        let disk = try MountedDisk(over: premises.path("journal"), size: "1m")
        try disk.fill()
        let document = premises.path("out.xml")
        let failed = try FinishedProcess.run(
            disk.launcher[0],
            disk.launcher.dropFirst() + [
                BuiltProducts.path(of: "countersignd"), "export", "--pskc", document, "--key",
                premises.path("transport.key"), "--enterprise", "bank", "--account-type", "main",
                "--config", premises.configuration,
            ]
        )
        #expect(failed.exitCode == 74, "\(failed.output)")
        #expect(failed.output == "")
        let lines = failed.errorOutput.split(separator: "\n")
        #expect(lines.count == 2, "\(failed.errorOutput)")
        #expect(
            lines.last == """
                hint: keep \(document): it is complete, and the tokens can be revoked already; \
                see countersignd export --help
                """
        )
        #expect(try standings.contains("S-1|3"))
        let text = String(decoding: try premises.contents("out.xml"), as: UTF8.self)
        #expect(text.matches(of: /<pskc:KeyPackage>/).count == 200)
        #expect(text.contains("</pskc:KeyContainer>"))
    }

    @Test func `concurrent exports leave one document`() throws {
        try loadMany()
        // A shell can wait forever for them if its parent process blocks signals.
        let all = try FinishedProcess.run(
            "xargs",
            [
                "-P", "4", "-I", "NUMBER", BuiltProducts.path(of: "countersignd"), "export",
                "--pskc",
                premises.path("NUMBER.xml"), "--key", premises.path("transport.key"),
                "--enterprise", "bank", "--account-type", "main", "--config",
                premises.configuration,
            ],
            input: Array("1\n2\n3\n4\n".utf8)
        )
        #expect(try premises.files().count { $0.hasSuffix(".xml") } == 1)
        #expect(
            all.output.split(separator: "\n").count { $0.contains("Exported 200 tokens to ") } == 1,
            "\(all)"
        )
        #expect(try !standings.contains("S-1|1"))
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `a refused export changes nothing`() throws {
        let before = try premises.sqlite3(".dump")
        for (content, exitCode) in [("00ff\n", 65), ("no key\n", 65), ("", 65)] as [(_, Int32)] {
            try premises.write(content, to: "transport.key")
            #expect(try export().exitCode == exitCode)
        }
        try premises.remove("transport.key")
        #expect(try export().exitCode == 66)
        try premises.write(String(repeating: "0f", count: 16) + "\n", to: "transport.key")
        try premises.write("kept", to: "out.xml")
        #expect(try export().exitCode == 73)
        #expect(try premises.contents("out.xml") == Data("kept".utf8))
        #expect(try export(to: "none.xml", type: "none").exitCode == 2)
        #expect(try premises.sqlite3(".dump") == before)
    }

    @Test func `secrets of tokens with an unknown counter are not exported`() throws {
        // After a restore, the counter of an unused token is unknown.
        #expect(try premises.countersignd("backup", premises.path("copy.db")).exitCode == 0)
        try premises.copy("copy.db", to: "store/countersign.db")
        #expect(try premises.countersignd("restore", "--yes").exitCode == 0)
        #expect(try export().exitCode == 2)
        #expect(try standings == "S-1|1\nS-2|1\nS-3|1")
    }
}

extension Premises {
    /// Revokes the devices of an account in a copy of the store.
    fileprivate func revoke(_ id: String, in copy: String) async throws {
        let store = try SQLiteDatabase(path: path(copy), migrations: Schema.migrations)
        let verifier = Verifier(
            database: store,
            keys: KeyRing(try keys),
            agreementKey: try KeyFile.privateKey(in: .file(path("keys/agreement"))),
            journal: nil,
            clock: .system(notBefore: .earliest)
        )
        let key = AccountKey(type: AccountType(checked: "main"), id: AccountID(checked: id))
        let account = AccountReference(enterprise: EnterpriseID(checked: "bank"), key: key)
        for found in try #require(try await verifier.devices(of: account)) {
            _ = try await verifier.revoke(found.device.id, of: account, by: .operatorCommand)
        }
        await store.close()
    }
}
