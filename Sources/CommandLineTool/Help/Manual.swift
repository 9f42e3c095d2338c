/// `countersign manual`: the help of all commands, as a manual page or as Markdown.
struct Manual: Command {
    static let name = "manual"
    static var summary: String {
        localized(
            "Print the manual page, for man or as Markdown.",
            german: "Gibt die Handbuchseite aus, für man oder als Markdown."
        )
    }
    static var discussion: String {
        localized(
            """
            Without an installed page, pipe the output into man -l -.
            """,
            german: """
                Ist die Seite nicht installiert, leiten Sie die Ausgabe an man -l - weiter.
                """
        )
    }

    @Option("date", help: localized("The date of the page.", german: "Das Datum der Seite."))
    private var day: Day?
    @Flag("markdown", help: localized("Print Markdown.", german: "Gibt Markdown aus."))
    private var printsMarkdown: Bool
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
    static var valueName: String { localized("DATE", german: "DATUM") }
    static var expectation: String {
        localized("a date such as 2026-11-22", german: "ein Datum wie 2026-11-22")
    }

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
