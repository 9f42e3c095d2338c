/// A command of a program: a value that is parsed from the command line and then run.
///
/// Its parameters are its properties, marked `@Flag`, `@Option` or `@Argument`. Parsing, help and
/// completion list them in the order of their declaration (see `ParameterList`).
package protocol Command: Sendable {
    /// One word, or two for a command of a topic: `approve`, `audit verify`.
    static var name: String { get }
    /// One sentence, for the list of commands.
    static var summary: String { get }
    /// The rest of the help page. Indented lines, such as examples, keep their layout.
    static var discussion: String { get }
    /// The signals that the command handles itself after it reads `Terminal.signals`.
    static var signals: [Int32] { get }

    init()
    /// Checks rules that involve several parameters.
    mutating func validate(for program: Program) throws(CommandFailure)
    func run(on terminal: Terminal) async throws(CommandFailure)
}

extension Command {
    package static var discussion: String { "" }
    package static var signals: [Int32] { [] }

    package func validate(for program: Program) throws(CommandFailure) {}

    static var words: [String] { name.split(separator: " ").map(String.init) }
}
