import CommandLineTool

struct Login: Command {
    static let name = "login"
    static let summary = "Print a code to log in with."

    static let signed = Option<String?>("sign", value: "DATA", help: "Data to bind the code to.")
    static let signedFile = Option<FilePath?>("sign-file", help: "A file with such data.")
    static let parameters: [any Parameter] = [signed, signedFile]

    let signed: String?
    let signedFile: FilePath?

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        signed = try arguments[Self.signed]
        signedFile = try arguments[Self.signedFile]
        guard signed == nil || signedFile == nil else {
            throw CommandFailure(.usage, "--sign and --sign-file exclude each other")
        }
    }

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.print("signed <\(signed ?? signedFile?.text ?? "")>")
    }
}
