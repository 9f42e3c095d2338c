import Foundation
import ProgramTesting
import TestSupport
import Testing

@testable import CommandLineTool
@testable import countersign

extension `The built program` {
    @Suite struct `The demo and the user guide` {
        private let root = URL(filePath: #filePath).appending(path: "../../..").standardized
        private var demo: String { root.appending(path: "Packaging/demo").path }
        private var programs: String {
            URL(filePath: BuiltProducts.path(of: "countersign")).deletingLastPathComponent().path
        }

        private func page() throws -> String {
            let path = root.appending(path: "docs/using-countersign.md")
            return try String(contentsOf: path, encoding: .utf8)
        }

        /// The output with one verifier and with two, in this order.
        private static let shown = [
            "activated bank/main/4711\n", "47.11 EUR  Apples\n", "\napproved ",
            #""state":"approved""#, "Decision\tapproved with userPIN\n",
            #""code":"idempotencyKeyReused""#,
            "countersign: this request was approved before", "(4 attempts left)\n", "\nrejected ",
            #""rejectedFor":"notMe""#, #""authentication":"userPIN""#,
            #""code":"loginRedeemed""#, "/codes\nstatus 204\n",
            #""code":"codeUsed"}status 409"#,
            "\nVerified: ", "\nSigned\tup to record ",
        ]

        private func expect(_ shown: [String], in output: String) throws {
            var remaining = output[...]
            for text in shown {
                let place = try #require(remaining.range(of: text), "\(text)")
                remaining = remaining[place.upperBound...]
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func `show an approved payment, a rejected payment and a clean audit`() throws {
            let demo = try FinishedProcess.run(demo, [programs])
            #expect(demo.exitCode == 0, "\(demo.errorOutput)")
            try expect(Self.shown, in: demo.output)
            try expectLinesOfFreshMachine(in: demo)
            let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
            let excerpt = try #require(
                readme.firstMatch(of: /```\n(\$ countersign pending\n[^`]*)```/)
            )
            #expect(Self.comparable(demo.output).contains(Self.comparable(String(excerpt.1))))
        }

        /// A test on a fresh machine takes too long for each change, so its list is checked here.
        private func expectLinesOfFreshMachine(in demo: FinishedProcess) throws {
            let folder = try TemporaryFolder()
            let output = try folder.write(demo.output + demo.errorOutput, to: "output")
            let list = root.appending(path: "Tests/FreshMachine/demo-lines")
            let lines = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
                .filter { !$0.hasPrefix("#") }
            #expect(lines.count > 10)
            for line in lines {
                let found = try FinishedProcess.run("grep", ["-qE", "--", String(line), output])
                #expect(found.exitCode == 0, "\(line)")
            }
        }

        /// The text with placeholders for ids and remaining times.
        private static func comparable(_ text: String) -> String {
            text.replacing(/[0-9a-f]{32}/, with: "ID").replacing(/\d+ s\b/, with: "TIME")
        }

        @Test(
            .timeLimit(.minutes(5)),
            .enabled(if: PostgresServer.isInstalled, "Not run: no PostgreSQL is installed.")
        )
        func `show the same with two verifiers on one PostgreSQL, one of them killed`() throws {
            let demo = try FinishedProcess.run(demo, [programs, "--postgres"])
            #expect(demo.exitCode == 0, "\(demo.errorOutput)")
            try expect(Self.shown, in: demo.output)
            // The journals of both verifiers confirm all decisions.
            #expect(demo.output.split(separator: "\nVerified: ").count == 3)
            // The person's program uses one node; the bank's program first called the other node.
            let origin = try #require(demo.output.firstMatch(of: /"origin": "([^"]+)"/)).1
            let payment = try #require(demo.output.firstMatch(of: #/' (https:\S+)/bank/v1//#)).1
            let codes = demo.output.matches(of: #/@code.json (https:\S+)/bank/v1//#).map(\.1)
            #expect(origin != payment)
            #expect(codes == [payment, origin])
        }

        @Test func `name only existing commands and options`() throws {
            let lines = try page().matches(of: /(?m)^(?:.build\/debug\/)?countersign ([^#\n]+)/)
            try #require(lines.count > 10)
            for line in lines {
                // The shell in this test opens no descriptors.
                let words = line.1.replacing(/--pin-fd 3 3<pin/, with: "--pin-fd 0")
                    .split(separator: " ").map(String.init)
                #expect(throws: Never.self) { try Countersign.program.command(for: words) }
            }
        }

        /// The typed input of each command of the page, and its last output.
        private static func dialogue(
            of command: Substring,
            _ code: String
        ) -> (inputs: [(question: String, keys: String)], end: String)? {
            let (pin, other) = (Person.pin, "840275")
            let yes = [("(yes/no) ", "yes"), ("PIN: ", pin)]
            return switch command {
            case "": ([], "No account is set up on this machine yet.")
            case "activate":
                ([("code: ", code), ("new PIN: ", pin), ("again: ", pin)], "activated bank/main/")
            case "accounts": ([], "bank/main/")
            case "pending": ([], "47.11 EUR  Transfer")
            case "show": ([], "Purpose  Apples")
            case "approve", "push": (yes, "approved ")
            case "fetch": ([("later) ", "approve"), ("PIN: ", pin)], "approved ")
            case "reject": ([], "rejected ")
            case "login", "otp": ([("PIN: ", pin)], "\r\n")
            case "change-pin":
                ([("old PIN: ", pin), ("new PIN: ", other), ("again: ", other)], "changed")
            case "notifications": ([], "notifications are on")
            case "doctor": ([], " is in order")
            case "remove": ([("(yes/no) ", "yes")], "removed ")
            default: nil
            }
        }

        @Test(.timeLimit(.minutes(5)))
        func `work as described on the page, step by step`() throws {
            let person = try Person()
            let (activation, code) = try person.newActivation()
            let found = try page().firstMatch(of: #/(?s)requests\.\n\n```\n(.*?)```/#)
            let lines = try #require(found).1.split(separator: "\n")
            // `watch` runs until it is stopped; `WatchTests` tests it.
            for line in lines where !line.hasPrefix("countersign watch") {
                let words = line.prefix { $0 != "#" }.split(separator: " ").dropFirst()
                let command = words.first ?? ""
                if ["pending", "fetch", "reject", "push"].contains(command) {
                    _ = try person.newPayment()
                }
                let request = try person.waiting()
                let payload = """
                    {"sa_transaction_id":"\(request)","account_id":"\(person.account)",
                    "account_type":"main"}
                    """
                let named = [
                    "8QK3M5TX0B": activation, "5c0f": request,
                    "payload.json": try person.home.write(payload, to: "payload.json"),
                    "bank/main/4711": "bank/main/\(person.account)",
                ]
                let session = try person.onTerminal(words.map { named[String($0)] ?? String($0) })
                let dialogue = try #require(Self.dialogue(of: command, code), "\(line)")
                for (question, keys) in dialogue.inputs {
                    try session.wait(for: question, typing: keys + "\n")
                }
                try session.wait(for: dialogue.end)
                // The doctor may report findings about the machine.
                let ends: Set<Int32> = command == "doctor" ? [0, 1] : [0]
                #expect(ends.contains(try session.end()), "\(line)\n\(session.screen)")
            }
            #expect(lines.count == 17)
        }
    }
}
