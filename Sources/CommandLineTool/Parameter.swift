/// Something a command takes: a flag, an option or an argument.
///
/// A command declares each once, as a static constant, and reads its value back by that constant.
package protocol Parameter: Sendable {
    var syntax: ParameterSyntax { get }
}

/// `--yes`: given or not.
package struct Flag: Parameter {
    package let syntax: ParameterSyntax

    package init(_ name: String, short: Character? = nil, help: String) {
        syntax = ParameterSyntax(
            name: "--\(name)",
            short: short.map { "-\($0)" },
            occurrence: .optional,
            help: help
        )
    }
}

/// `--amount 47.11`: a value that is known by a name.
///
/// What it reads as says how often it is given: `Amount` once, `Amount?` at most once, `[Amount]`
/// any number of times.
package struct Option<Value: ParameterValue>: Parameter {
    package let syntax: ParameterSyntax

    package init(_ name: String, short: Character? = nil, value: String? = nil, help: String) {
        syntax = ParameterSyntax(
            name: "--\(name)",
            short: short.map { "-\($0)" },
            valueName: value ?? Value.Item.valueName,
            candidates: Value.Item.candidates,
            occurrence: Value.occurrence,
            help: help
        )
    }
}

/// A value that is known by its place; how often it is given, its type says as for an option.
package struct Argument<Value: ParameterValue>: Parameter {
    package let syntax: ParameterSyntax

    package init(_ name: String? = nil, help: String) {
        syntax = ParameterSyntax(
            name: name ?? Value.Item.valueName,
            candidates: Value.Item.candidates,
            occurrence: Value.occurrence,
            help: help
        )
    }
}

/// How a parameter is written: all that parsing, help and completion know of it.
package struct ParameterSyntax: Sendable {
    /// `--amount`; for an argument, what help calls its value.
    let name: String
    /// `-a`.
    var short: String?
    /// What help calls the value of an option.
    var valueName: String?
    var candidates = Candidates.none
    let occurrence: Occurrence
    let help: String

    var isArgument: Bool { !name.hasPrefix("-") }

    func isSpelled(_ word: String) -> Bool { !isArgument && (word == name || word == short) }
}
