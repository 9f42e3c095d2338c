import Foundation
import ProgramTesting
import TestSupport
import Testing

@Suite struct `The help of countersign-acs` {
    private let edition = HelpEdition(
        "countersign-acs",
        pages: URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "help-countersign-acs.txt")
    )

    @Test func `equals the expected text of every command`() throws {
        try edition.expectWrittenPages()
    }

    @Test func `equals the reference page in docs`() throws {
        try edition.expectReferencePage()
    }

    @Test(arguments: [
        (["reference", "x"], "the argument must be configuration"),
        (["completion", "x"], "the argument must be one of bash, zsh, fish"),
        (["challenge", "show", "x"], "CHALLENGE must be an acsTransID, which has 36 characters"),
    ])
    func `names the words of an argument once`(_ words: [String], _ rule: String) throws {
        let refused = try FinishedProcess.run(ACSFolder.program, words)
        #expect(refused.exitCode == 64)
        #expect(refused.errorOutput.contains("countersign-acs: \(rule)\n"))
    }

    @Test func `is a manual page without warnings`() throws {
        try edition.expectManualPage(section: 8)
    }

    @Test func `has completions that each shell loads`() throws {
        try edition.expectCompletions(of: "doctor")
    }
}
