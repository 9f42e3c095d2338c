import Foundation
import ProgramTesting
import Testing

@Suite struct `The help of countersign-3ds` {
    private let edition = HelpEdition(
        "countersign-3ds",
        pages: URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "help-countersign-3ds.txt")
    )

    @Test func `equals the expected text of every command`() throws {
        try edition.expectWrittenPages()
        for page in try edition.written() {
            #expect(page.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(page)")
        }
    }

    @Test func `equals the reference page in docs`() throws {
        try edition.expectReferencePage()
    }

    @Test func `is a manual page without warnings`() throws {
        try edition.expectManualPage()
    }

    @Test func `has completions that each shell loads`() throws {
        try edition.expectCompletions(of: "check")
    }
}
