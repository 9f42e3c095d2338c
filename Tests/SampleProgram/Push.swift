import CommandLineTool

struct Push: Command {
    static let name = "push"
    static let summary = "Handle a push payload."

    @Argument(help: "The payload; - reads standard input.") var payload: FilePath

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.print("pushed <\(payload.text)>")
    }
}
