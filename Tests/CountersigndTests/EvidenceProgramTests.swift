import AuthenticationHandler
import Foundation
import ProgramTesting
import TestSupport
import Testing

private let account = OperatedVerifier.account

/// The commands export and verify evidence, and so does the Python program of the documents.
@Suite struct `countersignd evidence` {
    private static let page = URL(filePath: #filePath)
        .appending(path: "../../../docs/security/evidence.md").standardized

    /// The Python program of the page.
    private static func checker() throws -> String {
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "```python\n")).upperBound
        let end = try #require(text.range(of: "```", range: start..<text.endIndex)).lowerBound
        return String(text[start..<end])
    }

    @Test(.timeLimit(.minutes(5)), arguments: [OperatedVerifier.Way.store, .server])
    func `SEC-106: a decision is exported, and another program verifies it without the store`(
        _ way: OperatedVerifier.Way
    ) async throws {
        let verifier = try await OperatedVerifier(using: way)
        let premises = verifier.premises
        let activation = try verifier.resource("activation", "create", account)
        try await verifier.activate(
            try #require(activation.text("id")),
            try #require(activation.text("code"))
        )
        // A field that looks like a fact of the file.
        let fields = #""reference":"order-7","fields":[{"label":"Decision","value":"rejected"}],"#
        let payment = OperatedVerifier.payment.replacing(
            "{",
            with: "{" + fields,
            maxReplacements: 1
        )
        try premises.write(payment, to: "payment.json")
        let id = try verifier.newTransaction()
        let undecided = try verifier.run("evidence", "export", account, id)
        #expect(undecided.exitCode == 1)
        #expect(undecided.errorOutput.contains("no device has approved or rejected"))
        let shown = try #require(try await verifier.app.getTransaction())
        try await verifier.app.authenticateUsingUserPIN(shown, pin: Premises.typedPIN())

        let file = premises.path("evidence.json")
        #expect(try verifier.done("evidence", "export", account, id, "--output", file) == "")
        #expect(try FinishedProcess.run("stat", ["-c", "%a", file]).output == "600\n")
        #expect(try verifier.run("evidence", "export", account, id, "-o", file).exitCode == 73)
        let key = premises.path("checkpoint.pub")
        let pem = try premises.countersignd("evidence", "key").output
        try premises.write(pem, to: "checkpoint.pub")
        #expect(
            try FinishedProcess.run("openssl", ["pkey", "-pubin", "-in", key, "-pubout"]).output
                == pem
        )

        // An auditor has only these two files.
        let verified = try Self.verify(file, key)
        #expect(verified.exitCode == 0, "\(verified.errorOutput)")
        #expect(verified.output.hasPrefix("Decision\tapproved with userPIN\n"))
        #expect(verified.output.contains("Amount\t47.11 EUR\n"))
        #expect(verified.output.contains("Payee\tDE89 3704 0044 0532 0130 00 (Grocer)\n"))
        #expect(verified.output.contains("Reference\torder-7\n"))
        #expect(verified.output.contains("Device kind\tapp\n"))
        #expect(verified.output.contains("Detail from the bank\tDecision: rejected\n"))
        let json = try Self.verify(file, key, "--json").output
        #expect(json.contains(#""transaction":"\#(id)""#))
        #expect(json.contains(#""deviceKind":"app""#))
        #expect(json.contains(#""fields":[{"name":"Decision","value":"rejected"}]"#))
        #expect(json.contains(#""deviceName":""#))
        let facts = try Self.facts(in: json)
        for fact in facts.suffix(2) {
            let row = fact.replacing("record", with: "Record").replacing(": ", with: "\t")
            #expect(verified.output.contains("\(row)\n"), "\(verified.output)")
        }
        // With -O, Python ignores its own assertions.
        for option in ["-I", "-O"] {
            let checker = [option, "-c", try Self.checker(), file, key]
            let checked = try FinishedProcess.run("python3", checker)
            let lines = checked.output.split(separator: "\n").map(String.init)
            #expect(lines.first == "approved with userPIN", "\(checked.errorOutput)")
            #expect(lines.contains("transaction: \(id)"))
            #expect(lines.contains("account: \(account)"))
            #expect(facts.allSatisfy { lines.contains($0) }, "\(facts) \(lines)")
            let hash = /\nSHA-256 of the transaction: [0-9a-f]{64}\n/
            #expect(checked.output.firstMatch(of: hash) != nil)
        }

        try expectRefusals(of: try premises.contents("evidence.json"), key, premises)
    }

    /// Lines of the Python program with the values that `evidence verify` prints.
    private static func facts(in json: String) throws -> [String] {
        let strings = try ["device", "decided", "store"].map { name -> String in
            let pattern = try Regex("\"\(name)\":\"([^\"]+)\"")
            let value = try #require(json.firstMatch(of: pattern))
            let text = try #require(value.output[1].substring)
            return "\(name): \(text)"
        }
        let numbers = /"enrolmentRecord":(\d+),"enrolmentEpoch":(\d+),"record":(\d+),"epoch":(\d+)/
        let found = try #require(json.firstMatch(of: numbers))
        return strings + [
            "record of the enrolment: \(found.1) in epoch \(found.2)",
            "record of the decision: \(found.3) in epoch \(found.4)",
        ]
    }

    /// Both programs refuse the same changes.
    private func expectRefusals(of file: Data, _ key: String, _ premises: Premises) throws {
        let text = String(decoding: file, as: UTF8.self)
        let signature = String(try #require(text.firstMatch(of: /"signature":"(\w+)"/)).1)
        let changes: [(old: String, new: String, exitCode: Int32)] = [
            ("userPIN", "consent", 1), ("\"state\":1", "\"state\":2", 65), ("main", "mail", 1),
            // Other forms of the same values.
            ("\"state\":1", "\"state\":true", 65), ("\"state\":1", "\"state\":\"1\"", 65),
            ("\"state\":1", "\"state\":1,\"state\":1", 65),
            ("\"state\":1", "\"state\":1,\"other\":1", 65),
            ("\"hash\":\"", "\"hash\":\" ", 65), ("\"id\":\"", "\"id\":\"\\u0020", 65),
            (signature, signature.uppercased(), 65),
        ]
        for (old, new, exitCode) in changes {
            try premises.write(text.replacing(old, with: new, maxReplacements: 1), to: "changed")
            let changed = premises.path("changed")
            #expect(try Self.verify(changed, key).exitCode == exitCode, "\(old)")
            for option in ["-I", "-O"] {
                let words = [option, "-c", try Self.checker(), changed, key]
                #expect(try FinishedProcess.run("python3", words).exitCode == 1, "\(old)")
            }
        }
        try premises.write("{}", to: "empty.json")
        let empty = try Self.verify(premises.path("empty.json"), key)
        #expect(empty.exitCode == 65)
        #expect(empty.errorOutput.contains("empty.json is not a file of evidence"))
        let noKey = try Self.verify(premises.path("evidence.json"), premises.path("empty.json"))
        #expect(noKey.exitCode == 65)
        #expect(noKey.errorOutput.contains("does not contain a P-256 public key in PEM"))
        let other = try FinishedProcess.run(
            "sh",
            ["-c", "openssl ecparam -name prime256v1 -genkey -noout | openssl pkey -pubout"]
        )
        try premises.write(other.output, to: "other.pub")
        let foreign = try Self.verify(premises.path("evidence.json"), premises.path("other.pub"))
        #expect(foreign.exitCode == 1)
        #expect(foreign.errorOutput.contains("the key did not sign the record of the enrolment"))
    }

    /// Without a configuration.
    private static func verify(
        _ file: String,
        _ key: String,
        _ words: String...
    ) throws -> FinishedProcess {
        try FinishedProcess.run(
            BuiltProducts.path(of: "countersignd"),
            ["evidence", "verify", file, "--key", key] + words
        )
    }
}
