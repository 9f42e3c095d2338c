import Cryptography
import Foundation
import ProgramTesting
import TestSupport
import Testing

/// The commands in the pages for operators, typed into a new verifier.
@Suite struct `The operator's pages` {
    private let premises: Premises

    init() throws {
        premises = try Premises()
    }

    private func page(_ name: String) throws -> String {
        let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        return try String(
            contentsOf: root.appending(path: "docs/operate/\(name).md"),
            encoding: .utf8
        )
    }

    private func run(_ commands: [String], expecting others: [String: Int32] = [:]) throws {
        // `RunTests` tests the command that runs until a signal stops it.
        let expected = Self.expected.merging(others) { $1 }
        for command in commands where !command.hasPrefix("run") {
            let words = command.split(separator: " ").map { word in
                word.contains(".")
                    ? premises.path(String(word.split(separator: "/").last ?? word))
                    : String(word)
            }
            // A word in capitals is a placeholder: such a command is only looked up.
            let isLookedUp = words.contains { $0.wholeMatch(of: /[A-Z]+/) != nil }
            let run = try premises.countersignd(
                isLookedUp ? Array(words.prefix(2)) + ["--help"] : words
            )
            let code = isLookedUp ? 0 : expected[words.prefix(2).joined(separator: " ")]
            #expect(run.exitCode == code ?? 0, "\(command): \(run.errorOutput)")
        }
    }

    private func commands(in page: String) -> [String] {
        page.matches(of: /(?m)^countersignd ([^#>\n]+)/).map { String($0.1) }
    }

    @Test func `show commands for an installation that work one after the other`() throws {
        let page = try page("install")
        try writeFiles(of: page)
        let commands = commands(in: page)
        try #require(commands.first?.hasPrefix("init") == true)
        // The new policy waits for delivery.
        try run(commands, expecting: ["outbox list": 0])
        #expect(try premises.files().contains("monday.db"))
        #expect(try premises.sqlite3("SELECT count(*) FROM accounts") == "4")
    }

    @Test(arguments: ["policy", "monitoring"])
    func `show commands that work in a new verifier`(_ name: String) throws {
        try premises.write("{}", to: "policy.json")
        let commands = try commands(in: page(name))
        #expect(!commands.isEmpty)
        try run(["init"] + commands)
    }

    /// A new verifier has an empty outbox, has no device, and is not running.
    private static let expected: [String: Int32] = [
        "outbox list": 2, "outbox retry": 2, "transaction create": 1, "transaction list": 2,
        "doctor": 1,
    ]

    /// The files that the page shows, and a PSKC document.
    private func writeFiles(of page: String) throws {
        try premises.write(OperatedVerifier.payment, to: "payment.json")
        let member = try #require(page.firstMatch(of: /`("minimumTokenDigits": [0-9])`/))
        let accounts = try #require(page.firstMatch(of: /(?s)>accounts.csv <<END\n(.+?)END\n/))
        try premises.write("{\(member.1)}", to: "policy.json")
        try premises.write(String(accounts.1), to: "accounts.csv")
        let key = try randomBytes(count: 20)
        try premises.write(.pskc(with: key, of: "4713"), to: "tokens.xml")
    }
}
