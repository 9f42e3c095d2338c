import Cryptography
import Foundation
import ProgramTesting
import Sealing
import Storage
import TestSupport
import Testing
import TransactionApproval
import Verification

private let secret = String(repeating: "5a", count: 20)

@Suite struct `countersignd load` {
    private let premises: Premises

    init() throws {
        premises = try Premises.initialized()
        try premises.write(#"{"minimumTokenDigits": 6}"#, to: "policy.json")
        let policy = try premises.countersignd(
            "policy",
            "set",
            "bank",
            premises.path("policy.json"),
            "--new"
        )
        try #require(policy.exitCode == 0, "\(policy.errorOutput)")
    }

    private func load(_ words: String...) throws -> FinishedProcess {
        try premises.countersignd(["load", premises.path("accounts.csv")] + words)
    }

    /// A file of accounts, each with a token, and of some wrong rows.
    private func writeAccounts(
        _ count: Int,
        token: String = "\(secret)",
        wrongBefore isBad: (Int) -> Bool = { _ in false }
    ) throws {
        let rows = (0..<count).map { index in
            (isBad(index) ? "bank,main,a a,,\n" : "")
                + "bank,main,a\(index),S\(index),\(token)\n"
        }
        try premises.write(
            "enterprise,account_type,account_id,token_serial,token_secret_hex\n" + rows.joined(),
            to: "accounts.csv"
        )
    }

    /// The counts of accounts, tokens, secrets and audit records, from another program.
    private func counts() throws -> String {
        try premises.sqlite3(
            """
            SELECT (SELECT count(*) FROM accounts), (SELECT count(*) FROM devices),
                (SELECT count(*) FROM credentials),
                (SELECT count(*) FROM audit WHERE kind = 'account.created'),
                (SELECT count(*) FROM audit WHERE kind = 'device.token-added')
            """
        )
    }

    @Test func `accounts and tokens are imported`() throws {
        try writeAccounts(300)
        let loaded = try load()
        #expect(loaded.exitCode == 0, "\(loaded.errorOutput)")
        #expect(loaded.output == "accounts.csv: 300 accounts and 300 tokens imported\n")
        #expect(loaded.errorOutput == "")
        #expect(try counts() == "300|300|300|300|300")
        let again = try load()
        #expect(again.exitCode == 0)
        #expect(try counts() == "300|300|300|300|300")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test func `an import continues after kill -9`() throws {
        let count = 4000
        try writeAccounts(count) { $0.isMultiple(of: 100) }
        var kills = 0
        for least in [1, 700, 1500, 3000] {
            let process = Process()
            process.executableURL = URL(filePath: BuiltProducts.path(of: "countersignd"))
            process.arguments = [
                "load", premises.path("accounts.csv"), "--config", premises.configuration,
            ]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.start()
            try spinUntil {
                try !process.isRunning || Int(premises.sqlite3(countStatement)) ?? 0 >= least
            }
            if process.isRunning { kills += 1 }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let (line, accounts) = (
                try premises.sqlite3("SELECT line - 1 - rejected FROM imports"),
                try premises.sqlite3(countStatement)
            )
            #expect(line == accounts)
        }
        #expect(kills > 0)
        let finished = try load("--rejected", premises.path("rejected"))
        #expect(finished.exitCode == 65, "\(finished.errorOutput)")
        let loaded = "accounts.csv: \(count) accounts and \(count) tokens imported"
        #expect(finished.output == loaded + ", 40 rows skipped\n")
        // Also the rows of a killed run, which could not report them.
        let rejected = String(decoding: try premises.contents("rejected"), as: UTF8.self)
        #expect(rejected.split(separator: "\n").count == 40)
        #expect(try counts() == "\(count)|\(count)|\(count)|\(count)|\(count)")
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    private let countStatement = "SELECT count(*) FROM accounts"

    @Test func `an import continues after a full disk`() throws {
        try writeAccounts(4000)
        let program = BuiltProducts.path(of: "countersignd")
        let limited = try FinishedProcess.run(
            "sh",
            [
                "-c", "ulimit -f 2000; exec \"$@\"", "sh", program, "load",
                premises.path("accounts.csv"), "--config", premises.configuration,
            ]
        )
        #expect(limited.exitCode != 0)
        #expect(limited.errorOutput.hasPrefix("countersignd: "))
        #expect(try (1..<4000).contains(Int(premises.sqlite3(countStatement)) ?? 0))
        let finished = try load()
        #expect(finished.exitCode == 0, "\(finished.errorOutput)")
        #expect(try counts() == "4000|4000|4000|4000|4000")
    }

    @Test func `an import shows a progress bar on a terminal`() throws {
        try writeAccounts(500)
        let shown = try premises.onTerminal("load \(premises.path("accounts.csv"))")
        #expect(shown.exitCode == 0)
        #expect(shown.output.contains("Importing ["))
        #expect(shown.output.contains("100 %, 501 of about 501"))
        let last = "\r\u{1B}[Kaccounts.csv: 500 accounts and 500 tokens imported\r\n"
        #expect(shown.output.hasSuffix(last))
    }

    @Test func `skipped rows are reported without secrets`() throws {
        try premises.write(
            """
            enterprise,account_type,account_id,token_serial,token_secret_hex
            bank,main,a,S1,\(secret)
            bank,main,a b,S2,\(secret)
            bank,main,c,S3,\(secret)0
            bank,main,d,S1,\(secret)
            none,main,e,,

            """,
            to: "accounts.csv"
        )
        let loaded = try load()
        #expect(loaded.exitCode == 65)
        #expect(loaded.output == "accounts.csv: 1 account and 1 token imported, 4 rows skipped\n")
        let file = premises.path("accounts.csv")
        let errors = [
            "line 3: the account id must have 1 to 64 letters, digits, dots, underscores and dashes",
            "line 4: the secret is not in the encoding of its column",
            "line 5: the token exists already",
            "line 6: the enterprise does not exist",
        ]
        #expect(
            loaded.errorOutput == errors.map { "\(file): \($0)\n" }.joined()
                + "countersignd: skipped 4 rows\n"
                + "hint: correct these rows in a new file, and import it\n"
        )
        let repeated = try load()
        #expect(repeated.exitCode == 65)
        #expect(repeated.errorOutput == loaded.errorOutput)
        let again = try load("--name", "again", "--rejected", premises.path("rejected"))
        #expect(again.exitCode == 65)
        let rejected = String(decoding: try premises.contents("rejected"), as: UTF8.self)
        #expect(rejected.split(separator: "\n").count == 5)
        for text in [loaded.output, loaded.errorOutput, again.errorOutput, rejected] {
            #expect(!text.contains("5a5a"))
        }
    }

    @Test func `--rejected refuses a file that other users can read`() throws {
        try writeAccounts(1)
        try premises.write("", to: "rejected")
        try #require(chmod(premises.path("rejected"), 0o644) == 0)
        let refused = try load("--rejected", premises.path("rejected"))
        #expect(refused.exitCode != 0)
        #expect(refused.errorOutput.contains("rejected"), "\(refused.errorOutput)")
        #expect(try counts() == "0|0|0|0|0")
    }

    @Test func `--stop stops at a wrong row, and the corrected file continues`() throws {
        let start = "enterprise,account_type,account_id\nbank,main,a\n"
        try premises.write(start + "bank,main,b b\nbank,main,c\n", to: "accounts.csv")
        let stopped = try load("--stop")
        #expect(stopped.exitCode == 65)
        #expect(stopped.errorOutput.contains("stopped at line 3\n"))
        try premises.write(start + "bank,main,b\nbank,main,c\n", to: "accounts.csv")
        #expect(try load("--stop").exitCode == 0)
        #expect(try premises.sqlite3("SELECT group_concat(id) FROM accounts") == "a,b,c")
    }

    @Test func `a different file with the same name is rejected`() throws {
        try writeAccounts(3)
        #expect(try load().exitCode == 0)
        try writeAccounts(3, token: "\(secret)00")
        let refused = try load()
        #expect(refused.exitCode == 65)
        #expect(
            refused.errorOutput.contains("differs from the file that was loaded under this name")
        )
        #expect(refused.errorOutput.contains("--name"))
    }

    @Test(
        arguments: [
            (["load", "missing.csv"], 66), (["load", "policy.json"], 65), (["load"], 64),
            (["load", "a b.csv"], 64), (["load", "f", "--enterprise", "bank"], 64),
            (["load", "f", "--format", "pskc"], 64),
            (
                ["load", "f", "--format", "pskc", "--enterprise", "b k", "--account-type", "main"],
                64
            ),
            (["policy", "set", "bank", "missing.json"], 66), (["policy", "set", "b k", "f"], 64),
        ] as [([String], Int32)]
    )
    func `malformed files are rejected`(_ row: (words: [String], exitCode: Int32)) throws {
        var words = row.words
        if words[0] == "load", words.count == 2 { words[1] = premises.path(words[1]) }
        let refused = try premises.countersignd(words)
        #expect(refused.exitCode == row.exitCode, "\(refused.errorOutput)")
        #expect(refused.output == "")
    }

    @Test func `the file of a wrong key or password is named`() throws {
        try premises.write("", to: "accounts.csv")
        try premises.write("", to: "empty")
        let pskc = ["--format", "pskc", "--enterprise", "bank", "--account-type", "main"]
        for (option, name, exitCode, text) in [
            ("--password", "missing", 66, "missing does not exist\n"),
            ("--key", "missing", 66, "missing does not exist\n"),
            ("--key", "empty", 65, "empty is empty\n"),
        ] as [(String, String, Int32, String)] {
            let words = [premises.path("accounts.csv")] + pskc + [option, premises.path(name)]
            let refused = try premises.countersignd(["load"] + words)
            #expect(refused.exitCode == exitCode)
            #expect(refused.errorOutput.hasSuffix(text))
        }
    }

    @Test func `a PSKC document without keys is rejected`() throws {
        let document = """
            <KeyContainer Version="1.0" xmlns="urn:ietf:params:xml:ns:keyprov:pskc">
              <KeyPackage/>
            </KeyContainer>
            """
        try premises.write(document, to: "accounts.csv")
        let refused = try load("--format", "pskc", "--enterprise", "bank", "--account-type", "main")
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("accounts.csv does not contain keys\n"))
    }

    @Test func `a file that other users can read is rejected`() throws {
        try writeAccounts(1)
        try #require(chmod(premises.path("accounts.csv"), 0o644) == 0)
        let refused = try load()
        #expect(refused.exitCode == 77)
        #expect(refused.errorOutput.contains("chmod 600"))
        #expect(try premises.sqlite3(countStatement) == "0")
    }

    @Test(arguments: [
        ("touch FILE && chmod 644 FILE", 77, "other users can access"),
        ("mkfifo -m 600 FILE", 66, "is not a regular file"),
        ("ln -s other FILE", 77, "is a symbolic link"),
    ])
    func `skipped rows are written only to a private file`(
        _ command: String,
        _ exitCode: Int32,
        _ message: String
    ) throws {
        try writeAccounts(1, wrongBefore: { _ in true })
        let file = premises.path("rejected")
        _ = try FinishedProcess.run("sh", ["-c", command.replacing("FILE", with: file)])
        let refused = try load("--rejected", file)
        #expect(refused.exitCode == exitCode)
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        #expect(try premises.sqlite3(countStatement) == "0")
    }

    @Test func `a PSKC document of pskctool is imported, and codes of oathtool are accepted`()
        async throws
    {
        let key = try randomBytes(count: 20)
        try premises.write(.pskc(with: key, of: "4711"), to: "unsigned.xml")
        let (signer, certificate) = (premises.path("key.pem"), premises.path("certificate.pem"))
        _ = try FinishedProcess.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=signer", "-keyout",
                signer, "-out", certificate,
            ]
        )
        let signed = try FinishedProcess.run(
            "pskctool",
            [
                "--sign", "--sign-key", signer, "--sign-crt", certificate,
                premises.path("unsigned.xml"),
            ]
        )
        try premises.write(signed.output, to: "tokens.xml")
        let loaded = try premises.countersignd(
            "load",
            premises.path("tokens.xml"),
            "--format",
            "pskc",
            "--enterprise",
            "bank",
            "--account-type",
            "main"
        )
        #expect(loaded.exitCode == 0, "\(loaded.errorOutput)")
        #expect(loaded.output == "tokens.xml: 1 account and 1 token imported\n")

        let (verifier, store) = try await premises.open()
        let device = try await store.read { connection throws(StoreFailure) in
            try Ledger(connection, nil).devices(of: Premises.account).first
        }
        let code = try FinishedProcess.run(
            "oathtool",
            ["--hotp", "--counter=42", "--digits=8", "-"],
            input: Array(TextEncoding.hexadecimal.encode(key.span).utf8)
        )
        let results = [
            try await verifier.typed(code.output, on: try #require(device), call: "one"),
            try await verifier.typed(code.output, on: try #require(device), call: "two"),
        ]
        #expect(results == [.accepted(nil), .refused(.codeUsed)])
        await store.close()
    }
}

extension Verifier {
    fileprivate func typed(_ code: String, on device: Device, call: String) async throws
        -> AttemptResult
    {
        try await verify(
            typed: code.trimmingCharacters(in: .newlines),
            TypedSubmission(
                call: try await self.call(
                    IdempotencyKey(checked: call),
                    of: .operatorCommand,
                    in: Premises.account.enterprise,
                    for: []
                ),
                device: device.id,
                account: Premises.account
            ),
            by: .operatorCommand
        ).result
    }
}
