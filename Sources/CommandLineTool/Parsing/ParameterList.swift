import PrivateFiles

/// Collects the parameters of a command while the command is created.
///
/// `@Flag`, `@Option` and `@Argument` each add themselves to `current` in their initializer. A
/// command is created once to list its parameters, and once more with the words of the command
/// line to give the parameters their values. So a parameter is declared in one place only.
final class ParameterList: Sendable {
    @TaskLocal private static var current: ParameterList?

    private struct State {
        var syntaxes: [ParameterSyntax] = []
        var failure: CommandFailure?
    }

    /// The words for each parameter, by its name; nil while the command line is not read yet.
    private let words: [String: [String]]?
    private let state = LockedValue(State())

    private init(words: [String: [String]]?) {
        self.words = words
    }

    /// The parameters of the command, `--help` included.
    static func syntaxes(of command: any Command.Type) -> [ParameterSyntax] {
        let list = ParameterList(words: nil)
        $current.withValue(list) { _ = command.init() }
        return list.state.withLock(\.syntaxes) + [.help]
    }

    /// Creates the command with the values that `reader` has read.
    static func command(
        _ type: any Command.Type,
        from reader: ArgumentReader
    ) throws(CommandFailure) -> any Command {
        let list = ParameterList(words: reader.given)
        let command = $current.withValue(list) { type.init() }
        if let failure = list.state.withLock(\.failure) { throw failure }
        return command
    }

    /// Adds a parameter; returns its value if the command line was read and has a valid one.
    static func value<Value>(
        of syntax: ParameterSyntax,
        _ parse: ([String]?) throws(CommandFailure) -> Value
    ) -> Value? {
        guard let current else { return nil }
        current.state.withLock { $0.syntaxes.append(syntax) }
        guard let words = current.words else { return nil }
        do throws(CommandFailure) {
            return try parse(words[syntax.name])
        } catch {
            current.state.withLock { $0.failure = $0.failure ?? error }
            return nil
        }
    }
}
