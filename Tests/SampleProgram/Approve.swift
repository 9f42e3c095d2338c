import CommandLineTool

struct Approve: Command {
    static let name = "approve"
    static let summary = "Approve a pending transaction."
    static let discussion = """
        Shows the transaction, reads the PIN and sends the code. Without an ID the only
        pending transaction is meant.

        Examples:
            countersign approve --with pin
            countersign approve 7f3a --yes --pin-fd 3 3<pin.txt
        """

    enum Method: String, CaseIterable, ArgumentValue {
        case pin, biometric, consent
    }

    @Argument("ID", help: "The transaction to approve.") var id: String?
    @Option("with", short: "w", help: "The authentication method.") var method: Method?
    @Flag("yes", short: "y", help: "Do not ask for confirmation.") var isConfirmed: Bool
    @Option("pin-fd", help: "Read the PIN from this file descriptor instead of the terminal.")
    var pinDescriptor: Int32?
    @Flag("json", help: "Print the verdict as JSON.") var printsJSON: Bool

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.print("approved <\(id ?? "")> by \(method?.rawValue ?? "default")")
    }
}
