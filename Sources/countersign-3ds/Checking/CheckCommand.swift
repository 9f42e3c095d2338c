import CommandLineTool
import StrictJSON
import ThreeDSProtocol

struct CheckCommand: Command {
    static let name = "check"
    static let summary = "Check a message, and print the error message that a peer would send."
    static let discussion = """
        For a message without an error, the command prints "0 errors". Otherwise it prints the
        elements of the error message (Erro), and exits with 1. It prints no value of the message.
        With --json it prints the error message as it would be sent, or null.

        Some rules depend on earlier messages of the transaction. Without --after, the command does
        not check them.

        Examples:
            countersign-3ds check areq.json --as AReq --version 2.2.0
            countersign-3ds check rreq.json --as RReq --version 2.2.0 --after areq.json
        """

    @Argument(help: "The message; - reads standard input.")
    private var file: FilePath
    @Option("as", help: "The type that the receiver expects.")
    private var type: MessageType
    @Option("version", help: "The protocol version of the transaction.")
    private var version: ProtocolVersion
    @Option("receiver", help: "The peer that checks; by default, the last receiver of the type.")
    private var receiver: Receiver?
    @Option("after", help: "An earlier message of the transaction; can be repeated.")
    private var earlier: [FilePath]
    @JSONFlag private var printsJSON: Bool

    func run(on terminal: Terminal) async throws(CommandFailure) {
        let facts = try facts()
        let receiver = receiver ?? Receiver(ofLast: type)
        switch try check(file, as: [type], for: receiver, in: facts) {
        case .right:
            if printsJSON { return try terminal.output.print(json: .null) }
            try terminal.output.print("0 errors")
        case .wrong(let fault):
            try print(fault, from: receiver.component, to: terminal.output)
            throw CommandFailure(.refused, "the message has the error \(fault.code.rawValue)")
        }
    }

    private func check(
        _ file: FilePath,
        as types: Set<MessageType>,
        for receiver: Receiver,
        in facts: TransactionFacts?
    ) throws(CommandFailure) -> CheckedMessage {
        try CheckedMessage(in: file, as: types, version: version, receiver: receiver, facts: facts)
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
        let facts = erro?.members.map { (name: $0.name, value: $0.value.text) }
        let unsent = [("errorCode", fault.code.rawValue), ("errorDetail", fault.detail)]
        try output.print(Table(facts: facts ?? unsent))
    }

    /// Nil for the first message of a transaction, which states all facts itself.
    private func facts() throws(CommandFailure) -> TransactionFacts? {
        var facts = TransactionFacts(version: version)
        for path in earlier {
            let any = Set(MessageType.allCases)
            switch try check(path, as: any, for: .server, in: facts) {
            case .right(let message): facts.add(message)
            case .wrong(let fault):
                let message = "\(path.shownName) has the error \(fault.code.rawValue)"
                throw CommandFailure(.malformedInput, message)
                    .suggesting("check this message first, with its own type")
            }
        }
        return earlier.isEmpty && type.isFirst ? nil : facts
    }
}
