/// The syntax of one parameter, for parsing, help and completion.
struct ParameterSyntax: Sendable {
    /// `--amount`; for an argument, its name in the help.
    let name: String
    /// `-a`.
    var short: String?
    /// The name of an option's value in the help; nil for a flag or an argument.
    var valueName: String?
    var candidates = Candidates.none
    let occurrence: Occurrence
    let help: String

    static var help: ParameterSyntax {
        ParameterSyntax(
            name: "--help",
            short: "-h",
            occurrence: .optional,
            help: localized("Show this help.", german: "Zeigt diese Hilfe.")
        )
    }

    static var version: ParameterSyntax {
        ParameterSyntax(
            name: "--version",
            occurrence: .optional,
            help: localized("Show the version.", german: "Zeigt die Version.")
        )
    }

    /// The name of an argument that lists words, such as `bash|zsh`, is not a name for a sentence.
    private var shownName: String {
        guard isArgument, name.contains(where: \.isLowercase) else { return name }
        return localized("the argument", german: "das Argument")
    }

    var isArgument: Bool { !name.hasPrefix("-") }

    func isSpelled(_ word: String) -> Bool { !isArgument && (word == name || word == short) }

    func parse<Value: ParameterValue>(_ words: [String]?) throws(CommandFailure) -> Value {
        var items: [Value.Item] = []
        for word in words ?? [] {
            guard let item = Value.Item(argument: word) else {
                let name = shownName
                throw CommandFailure(
                    .usage,
                    localized(
                        "\(name) must be \(Value.Item.expectation)",
                        german: "\(name) verlangt \(Value.Item.expectation)"
                    ),
                    hint: secretHint(for: word)
                )
            }
            items.append(item)
        }
        return Value.value(of: items)
    }
}
