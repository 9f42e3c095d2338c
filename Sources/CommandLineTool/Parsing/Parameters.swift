/// `@Flag("yes", help: "…") var isConfirmed: Bool`: true if `--yes` is given.
@propertyWrapper
package struct Flag: Sendable {
    private let value: Bool?

    package init(_ name: String, short: Character? = nil, help: String) {
        let syntax = ParameterSyntax(
            name: "--\(name)",
            short: short.map { "-\($0)" },
            occurrence: .optional,
            help: help
        )
        value = ParameterList.value(of: syntax) { $0 != nil }
    }

    package var wrappedValue: Bool { parsed(value) }
}

/// `@Option("amount", help: "…") var amount: Amount`: a value with a name, as `--amount 47.11`.
///
/// The type decides how often the option is given: `Amount` exactly once, `Amount?` at most once,
/// `[Amount]` any number of times.
@propertyWrapper
package struct Option<Value: ParameterValue>: Sendable {
    private let value: Value?

    package init(_ name: String, short: Character? = nil, value: String? = nil, help: String) {
        let syntax = ParameterSyntax(
            name: "--\(name)",
            short: short.map { "-\($0)" },
            valueName: value ?? Value.Item.valueName,
            candidates: Value.Item.candidates,
            occurrence: Value.occurrence,
            help: help
        )
        self.value = ParameterList.value(of: syntax, syntax.parse)
    }

    package var wrappedValue: Value { parsed(value) }
}

/// `@Argument("ID", help: "…") var id: String?`: a value without a name.
///
/// As for an option, the type decides how often the argument is given.
@propertyWrapper
package struct Argument<Value: ParameterValue>: Sendable {
    private let value: Value?

    package init(_ name: String? = nil, help: String) {
        let syntax = ParameterSyntax(
            name: name ?? Value.Item.valueName,
            candidates: Value.Item.candidates,
            occurrence: Value.occurrence,
            help: help
        )
        value = ParameterList.value(of: syntax, syntax.parse)
    }

    package var wrappedValue: Value { parsed(value) }
}

/// `--json`, for every command that can print JSON.
@propertyWrapper
package struct JSONFlag: Sendable {
    @Flag("json", help: localized("Print JSON.", german: "Gibt JSON aus."))
    package var wrappedValue: Bool

    package init() {}
}

private func parsed<Value>(_ value: Value?) -> Value {
    // Commands run after their parameters are parsed, so this is our own error.
    guard let value else { preconditionFailure("a parameter is read before it is parsed") }
    return value
}
