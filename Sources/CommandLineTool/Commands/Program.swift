/// A program and its commands.
package struct Program: Sendable {
    package let name: String
    package let summary: String
    package let version: String
    /// The part of the help that holds for all commands.
    let discussion: String
    /// The section of the manual: 1 for everyone, 8 for system administration.
    let section: Int
    /// Related manual pages, such as "countersign(1)".
    let related: [String]
    let commands: [any Command.Type]
    /// The commands that the help of the program only names; nil if it describes all.
    let furtherCommands: [any Command.Type]?
    /// Pages of help besides those of the commands.
    let topics: [HelpTopic]
    /// The command that runs without words; nil if a command must be named.
    let overview: (any Command.Type)?

    package init(
        name: String,
        summary: String,
        version: String,
        discussion: String = "",
        section: Int = 1,
        related: [String] = [],
        topics: [HelpTopic] = [],
        overview: (any Command.Type)? = nil,
        commands: [any Command.Type],
        furtherCommands: [any Command.Type]? = nil
    ) {
        self.name = name
        self.summary = summary
        self.version = version
        self.discussion = discussion
        self.section = section
        self.related = related
        let general: [any Command.Type] = [Completion.self, Manual.self, Help.self]
        self.topics = topics
        self.overview = overview
        self.commands = commands + (furtherCommands ?? []) + general
        self.furtherCommands = furtherCommands.map { $0 + general }
    }

    package func run(_ words: [String], on terminal: Terminal) async -> ExitCode {
        do throws(CommandFailure) {
            if words.first == ParameterSyntax.version.name {
                try terminal.output.print("\(name) \(version)")
            } else {
                try await command(for: words).run(on: terminal)
            }
            return .done
        } catch {
            report(error, on: terminal.messages)
            return error.exitCode
        }
    }

    func report(_ failure: CommandFailure, on messages: Output) {
        // If standard error cannot be written to, the exit code is the only report left.
        try? messages.write(failure.report(from: name, on: messages))
    }

    /// Parses the words after the program's name.
    package func command(for words: [String]) throws(CommandFailure) -> any Command {
        if words.prefix(while: { $0 != "--" }).contains(where: ParameterSyntax.help.isSpelled) {
            return try command(for: [Help.name] + words.prefix { !looksLikeOption($0) })
        }
        if words.isEmpty, let overview { return try parse([], as: overview) }
        guard let type = commandType(leading: words) else { throw unknownCommand(leading: words) }
        do throws(CommandFailure) {
            return try parse(words.dropFirst(type.words.count), as: type)
        } catch {
            throw error.pointing(to: "\(name) \(type.name) --help")
        }
    }

    private func parse(
        _ words: ArraySlice<String>,
        as type: any Command.Type
    ) throws(CommandFailure) -> any Command {
        var reader = ArgumentReader(type)
        for index in words.indices {
            try reader.read(words[index], before: words[(index + 1)...].first)
        }
        try reader.finish()
        var command = try ParameterList.command(type, from: reader)
        try command.validate(for: self)
        return command
    }
}

extension Program {
    func commandType(leading words: some Collection<String>) -> (any Command.Type)? {
        commands.first { words.starts(with: $0.words) }
    }

    /// The commands of a topic.
    func commands(below topic: some Collection<String>) -> [any Command.Type] {
        commands.filter { $0.words.count > topic.count && $0.words.starts(with: topic) }
    }

    func topic(_ words: some Collection<String>) -> HelpTopic? {
        topics.first { words.elementsEqual([$0.name]) }
    }

    /// The failure if `words` start with the name of no command.
    func unknownCommand(leading words: some Collection<String>) -> CommandFailure {
        let names = words.prefix { !looksLikeOption($0) }
        guard let first = names.first else {
            let message = localized(
                "a command must come first",
                german: "zuerst muss ein Befehl kommen"
            )
            return CommandFailure(.usage, message).pointing(to: "\(name) --help")
        }
        let isTopic = !commands(below: [first]).isEmpty
        let help = isTopic ? "\(name) \(first) --help" : "\(name) --help"
        if isTopic, names.count == 1 {
            return CommandFailure(
                .usage,
                localized(
                    "\(first) needs a subcommand",
                    german: "\(first) braucht einen Unterbefehl"
                )
            ).pointing(to: help)
        }
        let unknown = names.prefix(isTopic ? 2 : 1).joined(separator: " ")
        let secret = names.lazy.compactMap(secretHint(for:)).first
        // Anything but letters may be a PIN that was typed too early.
        guard unknown.allSatisfy({ $0.isLetter || "- ".contains($0) }) else {
            return CommandFailure(
                .usage,
                localized("unknown command", german: "unbekannter Befehl"),
                hint: secret
            ).pointing(to: help)
        }
        let known = commands.flatMap { [$0.words[0], $0.name] }
        return CommandFailure(
            .usage,
            localized("unknown command \(unknown)", german: "unbekannter Befehl \(unknown)"),
            hint: secret ?? suggestion(for: unknown, among: known)
        ).pointing(to: help)
    }
}
