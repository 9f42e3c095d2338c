import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `Tokens of the bank's programs` {
    private let premises: Premises

    init() async throws {
        premises = try Premises.initialized()
        try await premises.fill()
    }

    @Test func `are listed, although another program changed one of them`() throws {
        for name in ["core", "forged"] {
            let made = try premises.countersignd("token", "create", name, "issuer", "--all")
            #expect(made.exitCode == 0)
        }
        try premises.sqlite3("UPDATE bank_tokens SET role = 'administrator' WHERE name = 'forged'")
        let list = try premises.countersignd("token", "list")
        #expect(list.exitCode == 65)
        #expect(list.output == "core\tissuer\t89 days left\t(all)\n")
        #expect(list.errorOutput.contains("bank_tokens id="))
    }

    @Test func `a token that cannot be printed is named, so that it can be revoked`() throws {
        let program = BuiltProducts.path(of: "countersignd")
        let create = "\(program) token create core issuer --all --config \(premises.configuration)"
        let full = try FinishedProcess.run("sh", ["-c", "\(create) >/dev/full"])
        #expect(full.exitCode == 74)
        #expect(full.errorOutput.contains("cannot write to standard output: No space left"))
        let hint = "hint: the token core exists, but is lost: run countersignd token revoke core\n"
        #expect(full.errorOutput.hasSuffix(hint), "\(full.errorOutput)")
        let revoked = try premises.countersignd("token", "revoke", "core", "--yes")
        #expect(revoked.exitCode == 0)
    }

    @Test func `a token is printed once, and its name cannot be reused`() throws {
        #expect(try premises.countersignd("token", "list").exitCode == 2)
        let result = try premises.countersignd(
            "token",
            "create",
            "core",
            "issuer",
            "--enterprise",
            "bank",
            "--days",
            "7"
        )
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        let token = result.output.trimmingCharacters(in: .newlines)
        #expect(token.wholeMatch(of: /countersign_[0-9a-f]{32}_[0-9a-f]{72}/) != nil)
        #expect(result.errorOutput == "")
        let all = try premises.countersignd("token", "create", "audit", "auditor", "--all")
        #expect(all.exitCode == 0)
        let list = try premises.countersignd("token", "list")
        #expect(
            list.output == """
                audit\tauditor\t89 days left\t(all)
                core\tissuer\t6 days left\tbank

                """
        )
        let screen = try premises.onTerminal("token list").output
        #expect(screen.contains(/NAME +ROLE +STATE +ENTERPRISE/))
        #expect(screen.contains("\naudit  auditor  89 days left  (all)\r\n"))
        let shown = try JSONObject(premises.countersignd("token", "list", "--json").output)
        #expect(shown["tokens", 1]?.text("enterprise") == "bank")
        #expect(shown["tokens", 0]?.text("enterprise") == nil)
        #expect(shown["tokens", 0]?.text("isGood") == "1")
        #expect(
            try premises.countersignd("token", "revoke", "core", "--yes").output
                == "Revoked core.\n"
        )
        #expect(try premises.countersignd("token", "revoke", "core", "--yes").exitCode == 66)
        let again = try premises.countersignd("token", "create", "core", "issuer", "--all")
        #expect(again.exitCode == 73)
        #expect(try premises.countersignd("token", "list").output.contains("revoked"))
        let secret = try #require(token.split(separator: "_").last)
        for file in try premises.files() {
            #expect(try premises.contents(file).range(of: Data(secret.utf8)) == nil, "\(file)")
        }
        #expect(try premises.countersignd("audit", "verify").exitCode == 0)
    }

    @Test(arguments: [
        (["core", "issuer"], 64, "give either --enterprise or --all"),
        (
            ["core", "issuer", "--all", "--enterprise", "bank"], 64,
            "give either --enterprise or --all"
        ),
        (["core", "owner", "--all"], 64, "must be one of issuer, customerService"),
        (["a b", "issuer", "--all"], 64, "NAME must be 1 to 64"),
        (["core", "issuer", "--all", "--days", "0"], 64, "--days must be between 1 and 3650"),
        (["core", "issuer", "--enterprise", "other"], 66, "this enterprise does not exist"),
    ])
    func `wrong arguments are rejected`(_ words: [String], exitCode: Int32, _ message: String)
        throws
    {
        let refused = try premises.countersignd(["token", "create"] + words)
        #expect(refused.exitCode == exitCode)
        #expect(refused.errorOutput.contains(message), "\(refused.errorOutput)")
        #expect(refused.output == "")
        #expect(try premises.countersignd("token", "list").exitCode == 2)
    }
}
