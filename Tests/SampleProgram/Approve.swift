import CommandLineTool

struct Approve: Command {
    static let name = "approve"
    static let summary = "Approve a pending transaction."
    static let discussion = """
        Shows the transaction, asks for the PIN and sends the code. Without an ID the only
        pending transaction is meant.

        Examples:
            countersign approve --with pin
            countersign approve 7f3a --yes --pin-fd 3 3<pin.txt
        """

    static let id = Argument<String?>("ID", help: "The transaction to approve.")
    static let method = Option<Method?>("with", short: "w", help: "What proves that it is you.")
    static let yes = Flag("yes", short: "y", help: "Do not ask whether the transaction is right.")
    static let pinDescriptor = Option<Int32?>(
        "pin-fd",
        help: "Read the PIN from this file descriptor instead of the terminal."
    )
    static let json = Flag("json", help: "Print the verdict as JSON.")
    static let parameters: [any Parameter] = [id, method, yes, pinDescriptor, json]

    enum Method: String, CaseIterable, ArgumentValue {
        case pin, biometric, consent
    }

    let id: String?
    let method: Method?
    let isConfirmed: Bool
    let pinDescriptor: Int32?
    let printsJSON: Bool

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        id = try arguments[Self.id]
        method = try arguments[Self.method]
        isConfirmed = arguments[Self.yes]
        pinDescriptor = try arguments[Self.pinDescriptor]
        printsJSON = arguments[Self.json]
    }

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.print("approved <\(id ?? "")> by \(method?.rawValue ?? "default")")
    }
}
