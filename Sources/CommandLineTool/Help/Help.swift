/// `countersign help approve`; `countersign approve --help` runs it too.
struct Help: Command {
    static let name = "help"
    static var summary: String {
        localized(
            "Show help for the program or for one command.",
            german: "Zeigt die Hilfe zum Programm oder zu einem Befehl."
        )
    }

    @Argument(
        localized("COMMAND", german: "BEFEHL"),
        help: localized(
            "The command or topic to show help for.",
            german: "Der Befehl oder das Thema der Hilfe."
        )
    )
    private var topic: [String]
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
            usage: [name] + topic + [commandWord],
            tables: [
                .init(
                    heading: localized("Commands", german: "Befehle"),
                    rows: commands.map { ($0.name, $0.summary) }
                )
            ]
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
                .init(
                    heading: localized("Commands", german: "Befehle"),
                    rows: described.map { ($0.name, $0.summary) }
                ),
                .init(
                    heading: localized("Options", german: "Optionen"),
                    rows: further.isEmpty ? options : []
                ),
            ],
            notes: further.isEmpty ? [] : [rest(of: further)]
        )
    }

    /// The names of further commands, and a line for each other page.
    private func rest(of further: [any Command.Type]) -> String {
        let helpOfCommand = localized(
            "Show help for one command.",
            german: "Zeigt die Hilfe zu einem Befehl."
        )
        let pages =
            [("help \(commandWord)", helpOfCommand)]
            + topics.map { ("help \($0.name)", $0.summary) }
            + [(ParameterSyntax.version.name, ParameterSyntax.version.help)]
        let rows = aligned(pages.map { ["  \(name) \($0.0)", $0.1] })
        // The first of the lines shows `help`.
        let names = further.dropLast().map { $0.name }.joined(separator: ", ")
        let also = localized("Also: \(names)", german: "Weitere: \(names)")
        return ([also] + rows).joined(separator: "\n")
    }

    /// `COMMAND`, or `[COMMAND]` if it can be left out.
    var commandPlace: String { overview == nil ? commandWord : "[\(commandWord)]" }

    private var commandWord: String { localized("COMMAND", german: "BEFEHL") }

    private func helpPage(on command: any Command.Type) -> HelpPage {
        let syntaxes = ParameterList.syntaxes(of: command)
        return HelpPage(
            summary: command.summary,
            usage: command.synopsis(in: self),
            discussion: command.discussion,
            tables: [
                .init(
                    heading: localized("Arguments", german: "Argumente"),
                    rows: syntaxes.filter(\.isArgument).map { ($0.name, $0.help) }
                ),
                .init(
                    heading: localized("Options", german: "Optionen"),
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
