import AuthenticationHandler
import CommandLineTool
import Foundation
import ProgramTesting
import TestSupport
import Testing

private let account = OperatedVerifier.account

/// The operator's pages on a terminal of 80 columns.
@Suite struct `A terminal of 80 columns` {
    private static let program = BuiltProducts.path(of: "countersignd")

    /// The lines on the screen, without the note about the store.
    private func lines(_ words: [String], exitCode: Int32 = 0) throws -> [String] {
        let session = try TerminalSession([Self.program] + words, columns: 80)
        #expect(try session.end() == exitCode, "\(session.screen)")
        return session.screen.replacing("\r\n", with: "\n")
            .replacing(/\r[^\n]*\u{1B}\[K|\u{1B}\[\d*m/, with: "")
            .replacing(/countersignd: in the store\s+\S+\n/, with: "")
            .split(separator: "\n").map(String.init)
    }

    private func expectFit(_ lines: [String], _ words: [String]) {
        #expect(!lines.isEmpty)
        for line in lines { #expect(line.width <= 80, "\(words): \(line)") }
    }

    /// A verifier whose account has activations, a device, a transaction and deliveries.
    private func verifier() async throws -> OperatedVerifier {
        let verifier = try await OperatedVerifier(using: .store)
        try setPolicy(#"{"lock": {"failures": 1}}"#, of: verifier)
        let activation = try verifier.resource("activation", "create", account)
        let (id, code) = (
            try #require(activation.text("id")), try #require(activation.text("code"))
        )
        try await verifier.activate(id, code)
        return verifier
    }

    private func setPolicy(_ policy: String, of verifier: OperatedVerifier) throws {
        try verifier.premises.write(policy, to: "policy.json")
        _ = try verifier.done("policy", "set", "bank", verifier.premises.path("policy.json"))
    }

    private func typeWrongPIN(to verifier: OperatedVerifier) async throws {
        _ = try verifier.newTransaction()
        let pending = try #require(try await verifier.app.getTransaction())
        await #expect(throws: AuthenticationError.self) {
            try await verifier.app.authenticateUsingUserPIN(
                pending,
                pin: OperatedVerifier.wrongPIN()
            )
        }
    }

    @Test(.timeLimit(.minutes(5))) func `shows every table without a line that is too long`()
        async throws
    {
        let verifier = try await verifier()
        let title = "振込のご確認をお願いいたします。東京都千代田区丸の内の食料品店へのお支払いです"
        let payment = OperatedVerifier.payment.replacing("Transfer", with: title)
        try verifier.premises.write(payment, to: "payment.json")
        let transaction = try verifier.newTransaction()
        let activation = try verifier.resource("activation", "create", account)
        let id = try #require(activation.text("id"))
        let name = "core-banking-of-the-branch-in-the-center-of-the-capital"
        _ = try verifier.done("token", "create", name, "administrator", "--all")
        let commands = [
            ["account", "show", account], ["activation", "list", account],
            ["activation", "show", account, id], ["transaction", "list", account],
            ["transaction", "show", account, transaction], ["token", "list"],
            ["enterprise", "list"], ["policy", "show", "bank", "--effective"],
            ["audit", "report", "--by", "day"],
        ]
        for words in commands {
            let shown = try lines(verifier.words(words))
            // An address stays whole, so that it can be copied. The sentences about guessing follow
            // the table of a policy.
            let rows = shown.filter { !$0.hasPrefix("Address ") && !$0.hasPrefix("Of 1,000,000 ") }
            expectFit(rows, words)
        }
        let delivery = """
            INSERT INTO outbox
            (sequence, target, enterprise, account_type, account_id, subject, started, due, tries, state)
            VALUES (1, 1, 'bank', 'main', '4711-of-the-branch-in-the-center', 's', 0, 9000000000000, 1, 0)
            """
        #expect(try verifier.premises.sqlite3(delivery) == "")
        let outbox = try verifier.words(["outbox", "list"])
        expectFit(try lines(outbox), outbox)

        let list = try lines(verifier.words(["transaction", "list", account]))
        #expect(list.contains("TRANSACTION  \(transaction)"), "\(list)")
        #expect(list.contains { $0.wholeMatch(of: /STATE        pending/) != nil })
        // The whole title is there, although it needs two lines.
        let texts = list.map { $0.drop { $0 == " " } }
        #expect(texts.joined().contains("TITLE        \(title)"), "\(list)")
        let piped = try verifier.done("transaction", "list", account)
        #expect(piped.split(separator: "\n").count == 1)
    }

    @Test(.timeLimit(.minutes(5))) func `shows an account with the command that unlocks it`()
        async throws
    {
        let verifier = try await verifier()
        try await typeWrongPIN(to: verifier)
        let device = try #require(try verifier.device().device.text("id"))
        let words = try verifier.words(["account", "show", account])
        let shown = try lines(words)
        expectFit(shown.dropLast(), words)
        #expect(shown.contains("DEVICE      \(device)"), "\(shown)")
        let command =
            "countersignd unlock \(account) \(device) user --config "
            + verifier.premises.configuration
        #expect(shown.last == "To unlock user of Phone: " + command)
        let piped = try verifier.done("account", "show", account)
        #expect(piped.hasSuffix("\nTo unlock user of Phone\t\(command)\n"))

        let folder = URL(filePath: Self.program).deletingLastPathComponent().path
        let pasted = try FinishedProcess.run(
            "sh",
            ["-c", command],
            environment: ["PATH": folder + ":/usr/bin:/bin"]
        )
        #expect(pasted.exitCode == 0, "\(pasted.errorOutput)")
        #expect(try verifier.device().credential["lock"] == nil)
        #expect(try !lines(words).contains { $0.hasPrefix("To unlock") })

        try setPolicy(#"{"lock": {"failures": 1, "temporaryLocks": 0}}"#, of: verifier)
        try await typeWrongPIN(to: verifier)
        let create = "To replace the locked device: countersignd activation create \(account)"
        let replaced = try lines(words)
        #expect(replaced.last == "\(create) --config \(verifier.premises.configuration)")
        #expect(!replaced.contains { $0.hasPrefix("To unlock") })
    }

    @Test func `shows every table of the help`() throws {
        let list = try lines(["help"])
        expectFit(list, ["help"])
        let names = list.compactMap { $0.firstMatch(of: /^  ([a-z][a-z ]+?)  +[A-Z]/)?.1 }
        #expect(names.count > 35)
        for name in names {
            let words = name.split(separator: " ").map(String.init) + ["--help"]
            // A row of a table has two spaces between its columns; a comment is in a file.
            let rows = try lines(words).filter { $0.contains(/\S  +\S/) && !$0.contains("//") }
            for row in rows { #expect(row.width <= 80, "\(name): \(row)") }
        }
    }
}
