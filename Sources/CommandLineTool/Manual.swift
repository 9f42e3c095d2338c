/// `countersign manual`: the page that `man` shows, of all that help knows.
struct Manual: Command {
    static let name = "manual"
    static let summary = "Print the page of the manual, for man to show."
    static let discussion = """
        Without an installed page:

            countersign manual | man -l -
        """

    static let day = Option<Day?>("date", help: "The day that the page bears.")
    static let parameters: [any Parameter] = [day]

    let text: String

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        text = ManualPage(of: arguments.program, on: try arguments[Self.day]).text
    }

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.write(text)
    }
}

/// A day of the calendar, as ISO 8601 has it.
struct Day: ArgumentValue {
    static let valueName = "DAY"
    static let expectation = "a day such as 2026-11-22"

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
