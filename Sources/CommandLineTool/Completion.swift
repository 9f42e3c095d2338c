/// `countersign completion bash`: the script that teaches a shell the program's words.
///
/// The script knows none of them: at each Tab it runs this command again, with the words up to the
/// cursor. So all shells share one rule, and a script is never older than its program.
struct Completion: Command {
    static let name = "completion"
    static let summary = "Print the completion script of a shell."
    static let discussion = """
        The first lines of the script say how to load it.

        The script passes on the WORDs up to the cursor, and gets back what could stand in place
        of the last one.
        """

    static let shell = Argument<Shell>(help: "The shell to print for.")
    static let words = Argument<[String]>("WORD", help: "A word of the line to complete.")
    static let parameters: [any Parameter] = [shell, words]

    let text: String

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        let program = arguments.program
        let shell = try arguments[Self.shell]
        let words = try arguments[Self.words]
        text =
            words.isEmpty
            ? shell.script(for: program.name)
            : shell.reply(program.candidates(completing: words))
    }

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.write(text)
    }
}
