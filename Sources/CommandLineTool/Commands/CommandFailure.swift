/// Why a command failed, and how the person can fix it.
package struct CommandFailure: Error, Equatable {
    package let exitCode: ExitCode
    /// The text after "countersign: ".
    ///
    /// It never contains typed input.
    package let message: String
    /// The text after "hint: ".
    package let hint: String?

    package init(_ exitCode: ExitCode, _ message: String, hint: String? = nil) {
        self.exitCode = exitCode
        self.message = message
        self.hint = hint
    }

    /// The same failure with a hint.
    package func suggesting(_ hint: String?) -> CommandFailure {
        CommandFailure(exitCode, message, hint: hint)
    }

    /// Adds a reference to the help of a wrong command line, unless there is a better hint.
    func pointing(to help: String) -> CommandFailure {
        guard exitCode == .usage, hint == nil else { return self }
        return CommandFailure(
            .usage,
            message,
            hint: localized("see \(help)", german: "siehe \(help)")
        )
    }

    /// The lines for standard error.
    func report(from program: String, on output: Output) -> String {
        lines("\(program): \(message)", on: output)
    }

    package static var hintLabel: String { localized("hint", german: "Hinweis") }

    /// A hint stays on its line: a person copies commands from it.
    fileprivate func lines(_ first: String, on output: Output) -> String {
        let lines =
            [output.wrapped(visible(first))]
            + (hint.map { ["\(CommandFailure.hintLabel): \(visible($0))"] } ?? [])
        return lines.map { $0 + "\n" }.joined()
    }
}

extension Output {
    /// Reports a failure after which the command continues.
    package func print(_ failure: CommandFailure) throws(CommandFailure) {
        try write(failure.lines(failure.message, on: self))
    }
}
