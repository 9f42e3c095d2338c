/// A command that lists its parameters and reads them one by one, until it declares them as properties.
package protocol ListedCommand: Command {
    static var parameters: [any Parameter] { get }

    init(_ arguments: ParsedArguments) throws(CommandFailure)
}

extension ListedCommand {
    package static var parameters: [any Parameter] { [] }

    package init() { fatalError("a listed command is created from its arguments") }
}

package protocol Parameter: Sendable {
    var name: String { get }
    var syntax: ParameterSyntax { get }
}

extension Parameter {
    package var name: String { syntax.name }
}

extension Flag: Parameter {
    package static let json = Flag("json", help: "Print JSON.")
}
extension Option: Parameter {}
extension Argument: Parameter {}

/// The words given to a command, each under the parameter it belongs to.
package struct ParsedArguments: Sendable {
    let given: [String: [String]]

    package subscript(flag: Flag) -> Bool { given[flag.name] != nil }

    package subscript<Value>(option: Option<Value>) -> Value {
        get throws(CommandFailure) { try option.syntax.parse(given[option.name]) }
    }

    package subscript<Value>(argument: Argument<Value>) -> Value {
        get throws(CommandFailure) { try argument.syntax.parse(given[argument.name]) }
    }
}
