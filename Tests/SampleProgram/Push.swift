import CommandLineTool

struct Push: Command {
    static let name = "push"
    static let summary = "Handle a push payload."

    static let payload = Argument<FilePath>(help: "The payload; - reads standard input.")
    static let parameters: [any Parameter] = [payload]

    let payload: FilePath

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        payload = try arguments[Self.payload]
    }

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.print("pushed <\(payload.text)>")
    }
}
