/// `countersign help approve`; `countersign approve --help` runs it too.
struct Help: Command {
    static let name = "help"
    static let summary = "Show help for the program or for one command."

    @Argument("COMMAND", help: "The command to show help for.") private var topic: [String]
    private var text = ""

    mutating func validate(for program: Program) throws(CommandFailure) {
        text = try program.helpPage(on: topic).text
    }

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.print(text)
    }
}

extension Program {
    /// The page of one command, or of all commands below `topic`.
    fileprivate func helpPage(
        on topic: some Collection<String>
    ) throws(CommandFailure) -> HelpPage {
        if let command = commandType(leading: topic) { return helpPage(on: command) }
        let commands = commands(below: topic)
        guard !commands.isEmpty else { throw unknownCommand(leading: topic) }
        let options = topic.isEmpty ? [ParameterSyntax.help, .version] : []
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
        let syntaxes = ParameterList.syntaxes(of: command)
        return HelpPage(
            summary: command.summary,
            usage: command.synopsis(in: self),
            discussion: command.discussion,
            tables: [
                .init(
                    heading: "Arguments",
                    rows: syntaxes.filter(\.isArgument).map { ($0.name, $0.help) }
                ),
                .init(
                    heading: "Options",
                    rows: syntaxes.filter { !$0.isArgument }.map(\.optionRow)
                ),
            ]
        )
    }
}

extension Command {
    /// `countersign approve [ID] [--json]`, in pieces that are not broken.
    static func synopsis(in program: Program) -> [String] {
        let parameters = ParameterList.syntaxes(of: Self.self).dropLast()
        return ["\(program.name) \(name)"] + parameters.map(\.synopsis)
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

    /// Long names line up, with or without a short name before them.
    fileprivate var optionRow: (label: String, text: String) {
        ((short.map { "\($0), " } ?? "    ") + call, help)
    }
}
