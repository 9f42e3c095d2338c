/// `countersign completion bash`: the script that adds completion to a shell.
///
/// At each Tab the script runs this command again with the words up to the cursor. So all shells
/// share one implementation, and a script never becomes outdated.
struct Completion: Command {
    static let name = "completion"
    static let summary = "Print the completion script of a shell."
    static let discussion = """
        The first lines of the script explain how to load it.

        The script calls this command again with the WORDs up to the cursor. The command then prints
        the possible completions of the last WORD.
        """

    @Argument(help: "The shell to print for.") private var shell: Shell
    @Argument("WORD", help: "A word of the line to complete.") private var words: [String]
    private var text = ""

    mutating func validate(for program: Program) throws(CommandFailure) {
        text =
            words.isEmpty
            ? shell.script(for: program.name)
            : shell.output(program.candidates(completing: words))
    }

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.write(text)
    }
}
