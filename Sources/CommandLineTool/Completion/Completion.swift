/// `countersign completion bash`: the script that adds completion to a shell.
///
/// At each Tab the script runs this command again with the words up to the cursor. So all shells
/// share one implementation, and a script never becomes outdated.
struct Completion: Command {
    static let name = "completion"
    static var summary: String {
        localized(
            "Print the completion script of a shell.",
            german: "Gibt das Skript aus, mit dem eine Shell Befehle ergänzt."
        )
    }
    static var discussion: String {
        localized(
            """
            The first lines of the script explain how to load it.

            The script calls this command again with the WORDs up to the cursor. The command then
            prints the possible completions of the last WORD.
            """,
            german: """
                Die ersten Zeilen des Skripts erklären, wie Sie es laden.

                Das Skript ruft diesen Befehl erneut auf, mit jedem WORT bis zur Schreibmarke. Der
                Befehl gibt dann die möglichen Ergänzungen des letzten Wortes aus.
                """
        )
    }

    @Argument(
        help: localized("The shell to print for.", german: "Die Shell, für die das Skript ist.")
    )
    private var shell: Shell
    @Argument(
        localized("WORD", german: "WORT"),
        help: localized(
            "A word of the line to complete.",
            german: "Ein Wort der Zeile, die Sie ergänzen."
        )
    )
    private var words: [String]
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
