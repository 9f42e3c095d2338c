import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    /// The first hour of each role, as `Tests/Journeys` records it.
    @Suite struct `The journey of` {
        /// Plays a record, with the values that a playground prints.
        private func play(_ name: String, with playground: Playground? = nil) throws {
            let shell = try JourneyShell()
            var values = [
                "home": shell.home.path, "port": "\(try freePort())",
                "operation": "\(try freePort())", "examples": Self.examples,
            ]
            if let playground { values.merge(try playground.values) { $1 } }
            let differences = try Journey(named: name).differences(on: shell, knowing: values)
            #expect(differences.isEmpty, "\(differences.joined(separator: "\n\n"))")
            try shell.end()
            if let playground { #expect(try playground.end() == 0) }
        }

        private static let examples = URL(filePath: #filePath)
            .appending(path: "../../../Examples").standardized.path

        @Test(.timeLimit(.minutes(5)))
        func `a person, from the bank's letter to a changed PIN`() throws {
            try play("person", with: try Playground())
        }

        @Test(.timeLimit(.minutes(5)))
        func `an operator, from an empty folder to a restored store`() throws {
            try play("operator")
        }

        @Test(.timeLimit(.minutes(5)))
        func `a bank's engineer, from the playground to refused requests`() throws {
            try play("bank", with: try Playground())
        }

        @Test(.timeLimit(.minutes(5)))
        func `an app's engineer, from the example app to a session`() throws {
            try play("app", with: try Playground())
        }

        @Test(arguments: [
            ("$ echo a; false\na\nexit code 1\n", true), ("$ echo a; false\na\n", false),
            ("$ echo a\nb\n", false), ("$ echo a\n", false), ("$ echo a; echo b\na\n", false),
            ("$ echo a; echo b\nb\n", false), ("$ echo a; echo b\n‹x›\n$ echo ‹x›\na\n", false),
            ("$ echo a; echo b\n‹x›\nb\n$ echo ‹x›\na\n", true), ("$ seq 4\n1\n...\n4\n", true),
            ("$ seq 4\n1\n...\n5\n", false), ("$ read -p 'Name: ' name\nName: » Ada\n", true),
            ("$ read -sp 'PIN: ' pin; echo\nPIN: » [271905]\n", true),
            ("$ read -p 'PIN: ' pin\nPIN: » [271905]\n", false),
            ("& echo a >file\n$ cat file\na\n", true),
        ])
        func `a role fails if the terminal differs from the record`(_ record: String, isSame: Bool)
            throws
        {
            let shell = try JourneyShell()
            let differences = try Journey(record).differences(on: shell)
            #expect(differences.isEmpty == isSame, "\(differences)")
            try shell.end()
        }
    }
}
