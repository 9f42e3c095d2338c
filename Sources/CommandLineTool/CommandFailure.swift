/// Why a command did not do what it was asked, and what the person can do about it.
package struct CommandFailure: Error, Equatable {
    package let exitCode: ExitCode
    /// What happened, to follow "countersign: "; never a value that somebody typed.
    package let message: String
    /// What to do, to follow "hint: ".
    package let hint: String?

    package init(_ exitCode: ExitCode, _ message: String, hint: String? = nil) {
        self.exitCode = exitCode
        self.message = message
        self.hint = hint
    }

    /// Where to read on about a wrong command line, unless there is a better hint.
    func pointing(to help: String) -> CommandFailure {
        guard exitCode == .usage, hint == nil else { return self }
        return CommandFailure(.usage, message, hint: "see \(help)")
    }

    /// The lines that `program` leaves on standard error.
    func report(from program: String) -> String { lines("\(program): \(message)") }

    fileprivate func lines(_ first: String) -> String {
        ([first] + (hint.map { ["hint: \($0)"] } ?? [])).map { visible($0) + "\n" }.joined()
    }
}

extension Output {
    /// Says what went wrong, where the command goes on.
    package func print(_ failure: CommandFailure) throws(CommandFailure) {
        try write(failure.lines(failure.message))
    }
}

/// Spells out what would move the cursor, start a line or turn the direction of writing around.
///
/// A message may quote what a server sent; that must not paint a verdict of its own.
func visible(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
        default: String(scalar)
        }
    }.joined()
}
