import Foundation
import ProgramTesting
import TestSupport
import Testing

@testable import CommandLineTool
@testable import countersign

extension `The built program` {
    @Suite struct `The demonstration and the README` {
        private let root = URL(filePath: #filePath).appending(path: "../../..").standardized

        @Test(.timeLimit(.minutes(1)))
        func `show a payment approved, one rejected, and a clean audit`() throws {
            let programs = URL(filePath: BuiltProducts.path(of: "countersign"))
                .deletingLastPathComponent().path
            let demo = try FinishedProcess.run(
                root.appending(path: "Packaging/demo").path,
                [programs]
            )
            #expect(demo.exitCode == 0, "\(demo.errorOutput)")
            var rest = demo.output[...]
            let shown = [
                "activated bank/main/4711\n", "47.11 EUR  Apples\n", "\napproved ",
                #""state":"approved""#, #""code":"idempotencyKeyReused""#,
                "countersign: nothing is waiting", "(4 attempts left)\n", "\nrejected ",
                #""rejectedFor":"notMe""#, #""authentication":"userPIN""#,
                #""code":"loginRedeemed""#,
                "\nIn order: ", "\nSigned\tup to record ",
            ]
            for text in shown {
                let place = try #require(rest.range(of: text), "\(text)")
                rest = rest[place.upperBound...]
            }
        }

        @Test func `name no command or option that the program does not take`() throws {
            let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
            let lines = readme.matches(of: /(?m)^(?:.build\/debug\/)?countersign ([^#\n]+)/)
            try #require(lines.count > 10)
            for line in lines {
                // No shell opens a descriptor here.
                let words = line.1.replacing(/--pin-fd 3 3<pin/, with: "--pin-fd 0")
                    .split(separator: " ").map(String.init)
                #expect(throws: Never.self) { try Countersign.program.command(for: words) }
            }
        }

        /// What the screen shows at last, after the answers to what each command of the README asks.
        private static func dialogue(
            of command: Substring,
            _ code: String
        ) -> (answers: [(question: String, keys: String)], end: String)? {
            let (pin, other) = (Person.pin, "840275")
            let yes = [("(yes/no) ", "yes"), ("PIN: ", pin)]
            return switch command {
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

        @Test(.timeLimit(.minutes(1)))
        func `do what the README says, one after the other, for who types`() throws {
            let person = try Person()
            let (activation, code) = try person.newActivation()
            let readme = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
            let found = readme.firstMatch(of: #/(?s)## Approve what a bank asks\n\n```\n(.*?)```/#)
            let lines = try #require(found).1.split(separator: "\n")
            // It goes on until it is told to stop: `WatchTests` have it run.
            for line in lines where !line.hasPrefix("countersign watch") {
                let words = line.prefix { $0 != "#" }.split(separator: " ").dropFirst()
                let command = try #require(words.first)
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
                for (question, keys) in dialogue.answers {
                    try session.wait(for: question, typing: keys + "\n")
                }
                try session.wait(for: dialogue.end)
                // Of the machine a doctor may have something to say.
                let ends: Set<Int32> = command == "doctor" ? [0, 1] : [0]
                #expect(ends.contains(try session.end()), "\(line)\n\(session.screen)")
            }
            #expect(lines.count == 15)
        }

        @Test func `are not alone in naming the exit codes: help has them all`() async throws {
            let help = try FinishedProcess.run(BuiltProducts.path(of: "countersign"), ["--help"])
            for code in [
                "0 ", "1 ", "2 ", "64", "65", "66", "69", "70", "73", "74", "75", "76", "77",
            ] {
                #expect(help.output.contains("\n    \(code)   "), "\(code)")
            }
            #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
    }
}
