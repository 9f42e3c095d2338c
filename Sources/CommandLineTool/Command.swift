/// Something a program can be asked to do: parsed first, as a whole, then run.
package protocol Command: Sendable {
    /// One word, or two where commands share a topic: `approve`, `audit verify`.
    static var name: String { get }
    /// One sentence, for the list of commands.
    static var summary: String { get }
    /// What else there is to know; indented lines, such as examples, are shown as they are.
    static var discussion: String { get }
    /// Everything that `init` reads, in the order that help shows it.
    static var parameters: [any Parameter] { get }
    /// The signals that end it until it hears them itself, as one does that goes on until it is told
    /// to stop.
    static var signals: [Int32] { get }

    init(_ arguments: ParsedArguments) throws(CommandFailure)
    func run(on terminal: Terminal) async throws(CommandFailure)
}

extension Command {
    package static var discussion: String { "" }
    package static var parameters: [any Parameter] { [] }
    package static var signals: [Int32] { [] }

    static var words: [String] { name.split(separator: " ").map(String.init) }
    static var syntaxes: [ParameterSyntax] { parameters.map(\.syntax) + [Flag.help.syntax] }
}

extension Flag {
    static let help = Flag("help", short: "h", help: "Show this help.")
    static let version = Flag("version", help: "Show the version.")
}
