import Foundation
import ProgramTesting
import TestSupport
import Testing

@testable import CommandLineTool
@testable import countersign

extension `The built program` {
    @Suite struct `Help of countersign` {
        /// Each page below the command that shows it.
        private static func written() throws -> [String] {
            let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "help.txt"
            )
            return try String(contentsOf: path, encoding: .utf8).split(separator: "$ ")
                .map(String.init)
        }

        @Test func `is word for word what is written down, for every command`() throws {
            let program = BuiltProducts.path(of: "countersign")
            let commands = Countersign.program.commands.map { $0.name }
            let pages = try ([""] + commands.map { $0 + " " }).map { words in
                let page = try FinishedProcess.run(
                    program,
                    words.split(separator: " ").map(String.init) + ["--help"]
                )
                #expect(page.exitCode == 0)
                return "countersign \(words)--help\n\(page.output)\n"
            }
            let written = try Self.written()
            for (page, written) in zip(pages, written) { #expect(page == written) }
            #expect(pages.count == written.count)
        }
    }
}
