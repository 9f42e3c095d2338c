import Foundation
import ProgramTesting
import TestSupport
import Testing

extension `The built program` {
    @Suite struct `The playground` {
        private let folder = URL(filePath: BuiltProducts.path(of: "countersign"))
            .deletingLastPathComponent().path
        private let script = URL(filePath: #filePath)
            .appending(path: "../../../Packaging/playground").standardized.path

        /// The lines to paste; the first one prepares the shell.
        private func commands(on screen: String) -> [String] {
            screen.replacing("\r\n", with: "\n").matches(of: /\n    ([.c]\S* .*)/)
                .map { String($0.1) }
        }

        @Test(.timeLimit(.minutes(5)))
        func `has lines to paste for bank, person and operator, and leaves nothing`() throws {
            let playground = try TerminalSession(["env", "--default-signal", script, folder])
            try playground.wait(for: "The app needs")
            let lines = commands(on: playground.screen)
            try #require(lines.count == 5, "\(playground.screen)")

            let requested = try paste([lines[0], lines[1]])
            #expect(requested.contains(#""state":"pending""#))
            let shell = try TerminalSession(["bash", "-c", lines[0] + "\n" + lines[2]])
            try shell.wait(for: "(yes/no) ", typing: "yes\n")
            try shell.wait(for: "PIN: ", typing: "271905\n")
            #expect(try shell.end() == 0, "\(shell.screen)")
            #expect(try paste([lines[0], lines[3]]).contains(#""state":"approved""#))
            #expect(try paste([lines[0], lines[4]]).contains("transaction.approved"))

            // Ctrl-C
            try playground.wait(for: "countersign.json.", typing: "\u{3}")
            try playground.wait(for: "its files are removed.")
            #expect(try playground.end() == 0)
            let path = try #require(lines[0].firstMatch(of: /\. (.*)\/shell/)).1
            #expect(!FileManager.default.fileExists(atPath: String(path)))
        }

        private func paste(_ lines: [String]) throws -> String {
            let process = try FinishedProcess.run("bash", ["-c", lines.joined(separator: "\n")])
            #expect(process.exitCode == 0, "\(lines): \(process.errorOutput)")
            return process.output
        }
    }
}
