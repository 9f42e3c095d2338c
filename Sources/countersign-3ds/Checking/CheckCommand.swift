import CommandLineTool
import StrictJSON
import ThreeDSProtocol

struct CheckCommand: Command {
    static let name = "check"
    static let summary = "Check a message, and print the error message that a peer would send."
    static var discussion: String {
        """
        For a message without an error, the command prints "0 errors". Otherwise it prints the error
        message (Erro), one line for each data element, and exits with 1. With --json it prints the
        error message as it would be sent, or null. The output contains IDs of the transaction and of
        extensions, and nothing else of the message.

        Some rules depend on earlier messages of the transaction. Without --after, the command does
        not check them. Some rules depend on the receiver. The receivers are, with the default last:

        \(receivers)

        Examples:
            countersign-3ds check areq.json --as AReq --version 2.2.0
            countersign-3ds check rreq.json --as RReq --version 2.2.0 --after areq.json
        """
    }

    private static var receivers: String {
        MessageType.allCases.map { type in
            "    \(type.rawValue)  \(type.receivers.map(\.rawValue).joined(separator: ", "))"
        }.joined(separator: "\n")
    }

    @Argument(help: "The message; - reads standard input.")
    private var file: FilePath
    @Option("as", help: "The type that the receiver expects.")
    private var type: MessageType
    @Option("version", help: "The protocol version of the transaction.")
    private var version: ProtocolVersion
    @Option("receiver", help: "The peer that checks the message.")
    private var receiver: Receiver?
    @Option("after", help: "An earlier message of the transaction; can be repeated.")
    private var earlier: [FilePath]
    @JSONFlag private var printsJSON: Bool

    func validate(for program: Program) throws(CommandFailure) {
        try FilePath.checkStandardInput(of: [file] + earlier)
        guard receiver.map(type.receivers.contains) ?? true else {
            throw CommandFailure(
                .usage,
                "a \(type.rawValue) is never sent to \(receiver?.rawValue ?? "")"
            )
        }
    }

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let receiver = receiver ?? type.lastReceiver
        let checker = MessageChecker(version: version)
        let context = try context(by: checker)
        guard let fault = try checker.fault(in: file, as: type, for: receiver, context) else {
            return try printsJSON
                ? terminal.output.print(json: .null) : terminal.output.print("0 errors")
        }
        try print(fault, from: receiver.component, to: terminal.output)
        throw CommandFailure(.refused, "the message has the error \(fault.code.rawValue)")
    }

    private func context(by checker: MessageChecker) throws(CommandFailure) -> MessageContext {
        guard !earlier.isEmpty || !type.isFirst else { return .first }
        var messages: [Message] = []
        for path in earlier { messages.append(try checker.message(in: path, after: messages)) }
        return .alone(version, after: messages)
    }

    /// An error that no message reports has only a code and a detail.
    private func print(
        _ fault: MessageFault,
        from component: Component,
        to output: Output
    ) throws(CommandFailure) {
        let erro = fault.errorMessage(from: component)
        guard !printsJSON else {
            return try output.print(json: erro.map { .object($0.members) } ?? .null)
        }
        let rows = erro?.members.map { (name: $0.name, value: $0.value.text) }
        let unsent = [("errorCode", fault.code.rawValue), ("errorDetail", fault.detail)]
        try output.print(Table(facts: rows ?? unsent))
    }
}
