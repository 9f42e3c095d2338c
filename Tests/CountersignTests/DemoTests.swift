import Foundation
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
                #""rejectedFor":"notMe""#, "\nIn order: ",
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
