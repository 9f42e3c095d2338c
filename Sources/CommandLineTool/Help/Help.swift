/// `countersign help approve`; `countersign approve --help` runs it too.
struct Help: Command {
    static let name = "help"
    static let summary = "Show help for the program or for one command."

    @Argument("COMMAND", help: "The command or topic to show help for.") private var topic: [String]
    private var text = ""

    mutating func validate(for program: Program) throws(CommandFailure) {
        text = try program.helpPage(on: topic).text
    }

    func run(on terminal: Terminal) throws(CommandFailure) {
        try terminal.output.print(text)
    }
}

extension Program {
    /// The page of one command or topic, or of all commands below `topic`.
    fileprivate func helpPage(
        on topic: some Collection<String>
    ) throws(CommandFailure) -> HelpPage {
        if topic.isEmpty { return helpPage }
        if let command = commandType(leading: topic) { return helpPage(on: command) }
        if let page = self.topic(topic) {
            return HelpPage(summary: page.summary, discussion: page.text, tables: [])
        }
        let commands = commands(below: topic)
        guard !commands.isEmpty else { throw unknownCommand(leading: topic) }
        return HelpPage(
            summary: summary,
            usage: [name] + topic + ["COMMAND"],
            tables: [.init(heading: "Commands", rows: commands.map { ($0.name, $0.summary) })]
        )
    }

    /// The page of the program.
    private var helpPage: HelpPage {
        let further = furtherCommands ?? []
        let described = commands.dropLast(further.count)
        let options = [ParameterSyntax.help, .version].map(\.optionRow)
        return HelpPage(
            summary: summary,
            usage: [name, commandPlace],
            discussion: discussion,
            tables: [
                .init(heading: "Commands", rows: described.map { ($0.name, $0.summary) }),
                .init(heading: "Options", rows: further.isEmpty ? options : []),
            ],
            notes: further.isEmpty ? [] : [rest(of: further)]
        )
    }

    /// The names of further commands, and a line for each other page.
    private func rest(of further: [any Command.Type]) -> String {
        let pages =
            [("help COMMAND", "Show help for one command.")]
            + topics.map { ("help \($0.name)", $0.summary) }
            + [(ParameterSyntax.version.name, ParameterSyntax.version.help)]
        let rows = aligned(pages.map { ["  \(name) \($0.0)", $0.1] })
        // The first of the lines shows `help`.
        let names = further.dropLast().map { $0.name }.joined(separator: ", ")
        return (["Also: \(names)"] + rows).joined(separator: "\n")
    }

    /// `COMMAND`, or `[COMMAND]` if it can be left out.
    var commandPlace: String { overview == nil ? "COMMAND" : "[COMMAND]" }

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
