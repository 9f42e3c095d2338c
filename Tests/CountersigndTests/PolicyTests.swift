import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `countersignd policy` {
    private let premises: Premises

    init() throws {
        premises = try Premises.initialized()
    }

    /// The lines about guessing under the default policy.
    private static let risk = [
        "Of 1,000,000 stolen devices whose thief guesses until the first lock, about 35 open; the "
            + "maximum is 100.",
        "Of 1,000,000 stolen devices whose thief guesses until the permanent lock, about 105 open.",
        "All accounts of one installation at this enterprise share these guesses; each other "
            + "enterprise or verifier with the same PIN adds its own.",
    ]

    private func set(_ policy: String, _ words: String...) throws -> FinishedProcess {
        try premises.write(policy, to: "policy.json")
        return try premises.countersignd(
            ["policy", "set", "bank", premises.path("policy.json")] + words
        )
    }

    private func enterprises() throws -> String {
        try premises.sqlite3("SELECT id, policy_version FROM enterprises ORDER BY id")
    }

    @Test func `set --new creates an enterprise once`() throws {
        let result = try set("{}", "--new")
        #expect(result.exitCode == 0, "\(result.errorOutput)")
        let lines = ["Set the policy of bank from \(premises.path("policy.json"))."] + Self.risk
        #expect(result.output == lines.map { $0 + "\n" }.joined())
        // A repetition finds the enterprise.
        #expect(try set("{}", "--new").exitCode == 0)
        #expect(try enterprises() == "bank|1")
        let other = try set(#"{"lookAhead": 5}"#, "--new")
        #expect(other.exitCode == 73)
        #expect(other.errorOutput.contains("an enterprise with this name exists"))
        #expect(try enterprises() == "bank|1")
        #expect(try set(#"{"lookAhead": 5}"#).exitCode == 0)
        #expect(try enterprises() == "bank|2")
    }

    @Test func `set does not create an enterprise from a misspelled name`() throws {
        #expect(try set("{}", "--new").exitCode == 0)
        let before = try premises.sqlite3(".dump")
        let refused = try premises.countersignd(
            "policy",
            "set",
            "bnak",
            premises.path("policy.json")
        )
        #expect(refused.exitCode == 66)
        #expect(
            refused.errorOutput == """
                countersignd: this enterprise does not exist
                hint: countersignd enterprise list shows the enterprises; --new creates one

                """
        )
        #expect(try premises.sqlite3(".dump") == before)
    }

    @Test(arguments: [
        (
            #"{"lock": {"failures": 3, "failure": 5}}"#,
            "lock.failure: is not a member of this object. Its members: failures, firstSeconds, "
                + "temporaryLocks, failuresInWindow, windowSeconds"
        ),
        (
            #"{"consentCeilings": [{"currency": "EUR", "minorUnits": 1, "cent": 1}]}"#,
            "consentCeilings[0].cent: is not a member of this object. Its members: currency, "
                + "minorUnits, totalMinorUnits"
        ),
        (
            #"{"consentCeilings": [{"currency": "EUR"}]}"#,
            "consentCeilings[0].minorUnits: is required"
        ),
        (#"{"lookAhead": "5"}"#, "lookAhead: must be an integer"),
        ("[]", "the document: must be an object"),
        ("{\n,}", "line 2: not valid JSON"),
        (#"{"lock": {"failures": 9}}"#, "lock.failures: must be from 1 to 5"),
        (
            #"{"lookAhead": 101, "pin": {"minimumDigits": 5}}"#,
            "pin.minimumDigits: must be from 6 to 12; lookAhead: must be from 0 to 100"
        ),
        (
            #"{"requiredFields": [{"context": "action", "labels": ["Limit", ""]}]}"#,
            "requiredFields[0].labels[1]: must not be empty"
        ),
    ])
    func `set names the wrong member`(_ policy: String, _ message: String) throws {
        #expect(try set("{}", "--new").exitCode == 0)
        let refused = try set(policy)
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("policy.json: \(message)\n"), "\(refused.errorOutput)")
        #expect(try enterprises() == "bank|1")
    }

    @Test func `set states the risk of a policy that makes guessing too easy`() throws {
        #expect(try set("{}", "--new").exitCode == 0)
        let refused = try set(#"{"lookAhead": 59, "minimumTokenDigits": 6}"#)
        #expect(refused.exitCode == 65)
        let lines = [
            "countersignd: \(premises.path("policy.json")): of 10,000 devices whose codes a stranger "
                + "guesses until the first lock, about 3 open; the maximum is 1",
            "hint: decrease lookAhead or lock.failures, or increase pin.minimumDigits or "
                + "minimumTokenDigits",
        ]
        #expect(refused.errorOutput == lines.map { $0 + "\n" }.joined())
        #expect(try enterprises() == "bank|1")
    }

    @Test func `set rejects text that is not UTF-8`() throws {
        #expect(try set("{}", "--new").exitCode == 0)
        var document = Data(#"{"returnAddresses": ["https://bank."#.utf8)
        document.append(0xFF)
        document.append(contentsOf: Data(#"example"]}"#.utf8))
        try document.write(to: URL(filePath: premises.path("policy.json")))
        let words = ["policy", "set", "bank", premises.path("policy.json")]
        let refused = try premises.countersignd(words)
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("policy.json is not UTF-8"))
        #expect(try enterprises() == "bank|1")
    }

    @Test(arguments: ["{}", "{\n  \"lookAhead\": 5\n}\n"])
    func `show prints a policy that can be set again, and its risk as a message`(
        _ policy: String
    ) throws {
        let new = try set(policy, "--new")
        #expect(new.exitCode == 0)
        let shown = try premises.countersignd("policy", "show", "bank")
        #expect(shown.exitCode == 0, "\(shown.errorOutput)")
        #expect(shown.output == policy + (policy.hasSuffix("\n") ? "" : "\n"))
        #expect(shown.errorOutput.hasPrefix("Of 1"))
        #expect(new.output.hasSuffix("policy.json.\n\(shown.errorOutput)"))
        #expect(try set(shown.output).exitCode == 0)
        #expect(try premises.countersignd("policy", "show", "bank").output == shown.output)
    }

    @Test func `show --effective prints all values, with their defaults`() throws {
        let policy = #"{"lookAhead": 5, "lock": {"failures": 3}, "linksAccounts": false}"#
        #expect(try set(policy, "--new").exitCode == 0)
        let shown = try premises.countersignd("policy", "show", "bank", "--effective")
        #expect(shown.exitCode == 0, "\(shown.errorOutput)")
        let lines = shown.output.split(separator: "\n").map(String.init)
        for line in [
            "lookAhead\t5\t", "lock.failures\t3\t", "lock.temporaryLocks\t2\tdefault",
            "linksAccounts\tfalse\t", "minimumTokenDigits\tnone\tdefault",
            "authentication\t[\"userPIN\"]\tdefault",
        ] {
            #expect(lines.contains(line), "\(line)")
        }
        #expect(lines.count == 34)
        #expect(shown.errorOutput.hasPrefix("Of 1,000,000 stolen devices whose thief"))
    }

    @Test func `enterprise list prints names, and show needs a name`() throws {
        let none = try premises.countersignd("enterprise", "list")
        #expect(none.exitCode == 2)
        #expect(none.errorOutput.contains("hint: create one with countersignd policy set --new"))
        try premises.write("{}", to: "policy.json")
        for name in ["b-bank", "a-bank"] {
            let result = try premises.countersignd(
                ["policy", "set", name, premises.path("policy.json"), "--new"]
            )
            #expect(result.exitCode == 0, "\(result.errorOutput)")
        }
        #expect(try premises.countersignd("enterprise", "list").output == "a-bank\nb-bank\n")
        let document = #"{"enterprises":[{"id":"a-bank"},{"id":"b-bank"}]}"# + "\n"
        #expect(try premises.countersignd("enterprise", "list", "--json").output == document)
        #expect(try premises.countersignd("policy", "show").exitCode == 64)
        let unknown = try premises.countersignd("policy", "show", "c-bank")
        #expect(unknown.exitCode == 66)
        #expect(unknown.output == "")
    }
}
