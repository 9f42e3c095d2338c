import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `The playground` {
        /// The page leads to the first approval by these lines, after a build.
        @Test(.timeLimit(.minutes(5)))
        func `leads by its lines to the first approval in three minutes, and leaves nothing`()
            throws
        {
            let begin = ContinuousClock.now
            let playground = try Playground()
            let lines = playground.commands
            try #require(lines.count == 5, "\(playground.screen)")

            let requested = try paste([lines[0], lines[1]])
            #expect(requested.contains(#""state":"pending""#))
            let shell = try TerminalSession(["bash", "-c", lines[0] + "\n" + lines[2]])
            try shell.wait(for: "(yes/no) ", typing: "yes\n")
            try shell.wait(for: "PIN: ", typing: "271905\n")
            #expect(try shell.end() == 0, "\(shell.screen)")
            #expect(try paste([lines[0], lines[3]]).contains(#""state":"approved""#))
            #expect(begin.duration(to: .now) < .seconds(180))
            #expect(try paste([lines[0], lines[4]]).contains("transaction.approved"))

            #expect(try playground.end() == 0)
            let path = try #require(playground.values["playground"])
            #expect(!FileManager.default.fileExists(atPath: path))
        }

        /// The page's command is the script of these tests, after a build.
        @Test func `is what the page and make run`() throws {
            let root = URL(filePath: Playground.script).deletingLastPathComponent()
                .deletingLastPathComponent()
            let page = root.appending(path: "docs/getting-started.md")
            let text = try String(contentsOf: page, encoding: .utf8)
            #expect(text.contains("\n```\nmake playground\n```\n"))
            let plan = try FinishedProcess.run("make", ["-n", "-C", root.path, "playground"])
            #expect(plan.exitCode == 0, "\(plan.errorOutput)")
            #expect(plan.output.contains("\nPackaging/playground \(root.path)/.build/debug\n"))
        }

        private func paste(_ lines: [String]) throws -> String {
            let process = try FinishedProcess.run("bash", ["-c", lines.joined(separator: "\n")])
            #expect(process.exitCode == 0, "\(lines): \(process.errorOutput)")
            return process.output
        }
    }
}
