/// The words given to a command, each under the parameter it belongs to.
package struct ParsedArguments: Sendable {
    /// Whose command line it is.
    let program: Program
    private let reader: ArgumentReader

    init(
        _ words: some Sequence<String>,
        for command: any Command.Type,
        of program: Program
    ) throws(CommandFailure) {
        var reader = ArgumentReader(command)
        for word in words { try reader.read(word) }
        try reader.finish()
        self.program = program
        self.reader = reader
    }

    package subscript(flag: Flag) -> Bool { words(for: flag.syntax) != nil }

    package subscript<Value>(option: Option<Value>) -> Value {
        get throws(CommandFailure) { try value(of: option.syntax) }
    }

    package subscript<Value>(argument: Argument<Value>) -> Value {
        get throws(CommandFailure) { try value(of: argument.syntax) }
    }

    private func value<Value: ParameterValue>(
        of parameter: ParameterSyntax
    ) throws(CommandFailure) -> Value {
        var items: [Value.Item] = []
        for word in words(for: parameter) ?? [] {
            guard let item = Value.Item(argument: word) else {
                let message = "\(parameter.name) must be \(Value.Item.expectation)"
                throw CommandFailure(.usage, message)
            }
            items.append(item)
        }
        return Value.value(of: items)
    }

    private func words(for parameter: ParameterSyntax) -> [String]? {
        let isDeclared = reader.parameters.contains { $0.name == parameter.name }
        precondition(isDeclared, "\(parameter.name) is read, but not among the parameters")
        return reader.given[parameter.name]
    }
}
