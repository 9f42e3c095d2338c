import Cryptography
import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `The README's commands for operators` {
    private let readme: String
    private let premises: Premises

    init() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../README.md").standardized
        readme = try String(contentsOf: path, encoding: .utf8)
        premises = try Premises()
    }

    @Test func `do what they say, one after the other`() throws {
        try writeFiles()
        let commands = readme.matches(of: /(?m)^countersignd ([^#\n]+)/).map { String($0.1) }
        try #require(commands.first?.hasPrefix("init") == true)
        // It goes on until it is told to stop: `RunTests` have it run.
        for command in commands where !command.hasPrefix("run") {
            let words = command.split(separator: " ").map { word in
                word.contains(".")
                    ? premises.path(String(word.split(separator: "/").last ?? word))
                    : String(word)
            }
            // What is spelt in capitals is not there yet: such a command is only looked up.
            let isLookedUp = words.contains { $0.wholeMatch(of: /[A-Z]+/) != nil }
            let run = try premises.countersignd(
                isLookedUp ? Array(words.prefix(2)) + ["--help"] : words
            )
            let expected = isLookedUp ? 0 : Self.expected[words.prefix(2).joined(separator: " ")]
            #expect(run.exitCode == expected ?? 0, "\(command): \(run.errorOutput)")
        }
        #expect(try premises.files().contains("monday.db"))
        #expect(try premises.sqlite3("SELECT count(*) FROM accounts") == "4")
    }

    /// Of a new verifier, which has nothing in its outbox, no device to ask, and does not run.
    private static let expected: [String: Int32] = [
        "outbox list": 2, "outbox retry": 2, "transaction create": 1, "transaction list": 2,
        "doctor": 1,
    ]

    /// Those that it shows, and a document of tokens.
    private func writeFiles() throws {
        try premises.write(OperatedVerifier.payment, to: "payment.json")
        let policy = try #require(readme.firstMatch(of: /(?m)^echo '(.+)' >policy.json$/))
        let accounts = try #require(readme.firstMatch(of: /(?s)>accounts.csv <<END\n(.+?)END\n/))
        try premises.write(String(policy.1), to: "policy.json")
        try premises.write(String(accounts.1), to: "accounts.csv")
        let key = try randomBytes(count: 20)
        try premises.write(.pskc(with: key, of: "4713"), to: "tokens.xml")
    }
}
