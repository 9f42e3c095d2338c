/// `countersign help approve`, which is what `countersign approve --help` runs too.
struct Help: Command {
    static let name = "help"
    static let summary = "Show help for the program or for one command."

    static let topic = Argument<[String]>("COMMAND", help: "The command to show help for.")
    static let parameters: [any Parameter] = [topic]

    let text: String

    init(_ arguments: ParsedArguments) throws(CommandFailure) {
        try self.init(on: arguments[Self.topic], in: arguments.program)
    }

    init(on topic: some Collection<String>, in program: Program) throws(CommandFailure) {
        text = try program.helpPage(on: topic).text
    }

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.print(text)
    }
}

extension Program {
    /// The page on the command that `topic` begins with, or on all commands below `topic`.
    fileprivate func helpPage(
        on topic: some Collection<String>
    ) throws(CommandFailure) -> HelpPage {
        if let command = commandType(leading: topic) { return helpPage(on: command) }
        let commands = commands(below: topic)
        guard !commands.isEmpty else { throw unknownCommand(leading: topic) }
        let options = topic.isEmpty ? [Flag.help.syntax, Flag.version.syntax] : []
        return HelpPage(
            summary: summary,
            usage: [name] + topic + ["COMMAND"],
            discussion: topic.isEmpty ? discussion : "",
            tables: [
                .init(heading: "Commands", rows: commands.map { ($0.name, $0.summary) }),
                .init(heading: "Options", rows: options.map(\.optionRow)),
            ]
        )
    }

    private func helpPage(on command: any Command.Type) -> HelpPage {
        let arguments = command.syntaxes.filter(\.isArgument)
        let options = command.syntaxes.filter { !$0.isArgument }
        return HelpPage(
            summary: command.summary,
            usage: command.synopsis(in: self),
            discussion: command.discussion,
            tables: [
                .init(heading: "Arguments", rows: arguments.map { ($0.name, $0.help) }),
                .init(heading: "Options", rows: options.map(\.optionRow)),
            ]
        )
    }
}

extension Command {
    /// `countersign approve`, and what may follow it.
    static func synopsis(in program: Program) -> [String] {
        ["\(program.name) \(name)"] + parameters.map(\.syntax.synopsis)
    }
}

extension ParameterSyntax {
    /// `--amount AMOUNT`.
    var call: String { name + (valueName.map { " \($0)" } ?? "") }

    fileprivate var synopsis: String {
        switch occurrence {
        case .required: call
        case .optional: "[\(call)]"
        case .repeated: "[\(call)]..."
        }
    }

    /// Long names stand in one column, with or without a short one before them.
    fileprivate var optionRow: (label: String, text: String) {
        ((short.map { "\($0), " } ?? "    ") + call, help)
    }
}
