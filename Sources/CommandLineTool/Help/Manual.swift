/// `countersign manual`: the help of all commands, as a manual page or as Markdown.
struct Manual: Command {
    static let name = "manual"
    static let summary = "Print the manual page, for man or as Markdown."
    static let discussion = """
        Without an installed page, pipe the output into man -l -.
        """

    @Option("date", help: "The date of the page.") private var day: Day?
    @Flag("markdown", help: "Print Markdown.") private var printsMarkdown: Bool
    private var text = ""

    mutating func validate(for program: Program) throws(CommandFailure) {
        text =
            printsMarkdown
            ? MarkdownManual(of: program).text : ManualPage(of: program, on: day).text
    }

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.write(text)
    }
}

/// A calendar date in ISO 8601.
struct Day: ArgumentValue {
    static let valueName = "DATE"
    static let expectation = "a date such as 2026-11-22"

    let text: String

    init?(argument: String) {
        let parts = argument.utf8.split(
            separator: UInt8(ascii: "-"),
            omittingEmptySubsequences: false
        )
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard parts.map(\.count) == [4, 2, 2], parts.joined().allSatisfy(digits.contains) else {
            return nil
        }
        text = argument
    }
}
