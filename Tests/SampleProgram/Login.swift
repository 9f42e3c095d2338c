import CommandLineTool

struct Login: Command {
    static let name = "login"
    static let summary = "Print a code to log in with."

    @Option("sign", value: "DATA", help: "Data to bind the code to.") var signed: String?
    @Option("sign-file", help: "A file with such data.") var signedFile: FilePath?

    func validate(for program: Program) throws(CommandFailure) {
        guard signed == nil || signedFile == nil else {
            throw CommandFailure(.usage, "use either --sign or --sign-file")
        }
    }

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.print("signed <\(signed ?? signedFile?.text ?? "")>")
    }
}
