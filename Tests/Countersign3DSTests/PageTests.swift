import Foundation
import TestSupport
import Testing

/// The commands of docs/integrate/card-messages.md, as a reader types them.
@Suite struct `The page about messages of card payments` {
    private let blocks: [String]
    private let folder: TemporaryFolder

    init() throws {
        let path = URL(filePath: #filePath)
            .appending(path: "../../../docs/integrate/card-messages.md").standardized
        let page = try String(contentsOf: path, encoding: .utf8)
        blocks = page.matches(of: /(?s)```\n(.*?)```/).map { String($0.1) }
        folder = try TemporaryFolder()
    }

    private func type(_ block: String) throws -> FinishedProcess {
        let programs = URL(filePath: CardProgram.path).deletingLastPathComponent().path
        let script = "cd '\(folder.path)' && PATH=\(programs):$PATH\n\(block)"
        return try FinishedProcess.run("bash", ["-c", script])
    }

    @Test func `has commands that do what it describes`() throws {
        try #require(blocks.count == 4)
        #expect(try type(blocks[0]).output == "0 errors\n")
        let wrong = try type(blocks[1])
        #expect(wrong.output.contains("errorCode\t203\n"))
        #expect(wrong.exitCode == 1)
        let message = try String(contentsOfFile: folder.path + "/creq.json", encoding: .utf8)
        #expect(try type(blocks[2]).output == message)
        #expect(try type(blocks[3]).output == message)
    }
}
