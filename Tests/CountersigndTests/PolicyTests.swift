import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `countersignd policy` {
    private let premises: Premises

    init() throws {
        premises = try Premises.made()
    }

    private func set(_ policy: String, _ words: String...) throws -> FinishedProcess {
        try premises.write(policy, to: "policy.json")
        return try premises.countersignd(
            ["policy", "set", "bank", premises.path("policy.json")] + words
        )
    }

    private func enterprises() throws -> String {
        try premises.sqlite3("SELECT id, policy_version FROM enterprises ORDER BY id")
    }

    @Test func `set makes an enterprise where it is told to, once`() throws {
        let made = try set("{}", "--new")
        #expect(made.exitCode == 0, "\(made.errorOutput)")
        #expect(
            made.output == """
                bank has the policy of \(premises.path("policy.json"))
                Until a code locks, guessing succeeds
                    for a stranger          once in 1818181
                    for a thief of a device once in 28571, 9523 until it is blocked

                """
        )
        // Repeated, it finds what it made.
        #expect(try set("{}", "--new").exitCode == 0)
        #expect(try enterprises() == "bank|1")
        let other = try set(#"{"lookAhead": 5}"#, "--new")
        #expect(other.exitCode == 73)
        #expect(other.errorOutput.contains("there is an enterprise of this name"))
        #expect(try enterprises() == "bank|1")
        #expect(try set(#"{"lookAhead": 5}"#).exitCode == 0)
        #expect(try enterprises() == "bank|2")
    }

    @Test func `set makes none of a name that is misspelt`() throws {
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
                countersignd: there is no such enterprise
                hint: countersignd enterprise list shows those that there are; with --new it is made

                """
        )
        #expect(try premises.sqlite3(".dump") == before)
    }

    @Test(arguments: [
        (#"{"lockout": 5}"#, "the member lockout is unknown"),
        (#"{"lock": {"failures": 3, "failure": 5}}"#, "the member lock.failure is unknown"),
        (
            #"{"consentCeilings": [{"currency": "EUR", "minorUnits": 1, "cent": 1}]}"#,
            "the member consentCeilings[0].cent is unknown"
        ),
        (
            #"{"consentCeilings": [{"currency": "EUR"}]}"#,
            "the member consentCeilings[0].minorUnits is missing"
        ),
        (#"{"lookAhead": "5"}"#, "the member lookAhead has the wrong type or value"),
        ("[]", "the document has the wrong type or value"),
        ("{\n,}", "line 2: not valid JSON"),
        (#"{"lock": {"failures": 9}}"#, "the member lock.failures is not what it may be"),
        (
            #"{"requiredFields": [{"context": "action", "labels": ["Limit", ""]}]}"#,
            "the member requiredFields[0].labels[1] is not what it may be"
        ),
        (#"{"lookAhead": 100, "minimumTokenDigits": 6}"#, "a code could be guessed too easily"),
    ])
    func `set names the member that is wrong`(_ policy: String, _ message: String) throws {
        #expect(try set("{}", "--new").exitCode == 0)
        let refused = try set(policy)
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("policy.json: \(message)\n"), "\(refused.errorOutput)")
        #expect(try enterprises() == "bank|1")
    }

    @Test func `set takes no text that is not UTF-8, and leaves the policy as it was`() throws {
        #expect(try set("{}", "--new").exitCode == 0)
        var document = Data(#"{"returnAddresses": ["https://bank."#.utf8)
        document.append(0xFF)
        document.append(contentsOf: Data(#"example"]}"#.utf8))
        try document.write(to: URL(filePath: premises.path("policy.json")))
        let words = ["policy", "set", "bank", premises.path("policy.json")]
        let refused = try premises.countersignd(words)
        #expect(refused.exitCode == 65)
        #expect(refused.errorOutput.contains("the policy is no UTF-8"))
        #expect(try enterprises() == "bank|1")
    }

    @Test(arguments: ["{}", "{\n  \"lookAhead\": 5\n}\n"])
    func `show gives what was set, which can be set again`(_ policy: String) throws {
        #expect(try set(policy, "--new").exitCode == 0)
        let shown = try premises.countersignd("policy", "show", "bank")
        #expect(shown.exitCode == 0, "\(shown.errorOutput)")
        #expect(shown.output == policy + (policy.hasSuffix("\n") ? "" : "\n"))
        #expect(try set(shown.output).exitCode == 0)
        #expect(try premises.countersignd("policy", "show", "bank").output == shown.output)
    }

    @Test func `enterprise list shows their names, and show asks for one`() throws {
        let none = try premises.countersignd("enterprise", "list")
        #expect(none.exitCode == 2)
        #expect(none.errorOutput.contains("hint: countersignd policy set --new makes one"))
        try premises.write("{}", to: "policy.json")
        for name in ["b-bank", "a-bank"] {
            let made = try premises.countersignd(
                ["policy", "set", name, premises.path("policy.json"), "--new"]
            )
            #expect(made.exitCode == 0, "\(made.errorOutput)")
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
