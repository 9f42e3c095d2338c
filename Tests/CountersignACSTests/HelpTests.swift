import Foundation
import ProgramTesting
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

    @Test func `is a manual page without warnings`() throws {
        try edition.expectManualPage(section: 8)
    }

    @Test func `has completions that each shell loads`() throws {
        try edition.expectCompletions(of: "doctor")
    }
}
