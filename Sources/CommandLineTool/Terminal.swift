import Glibc

/// Where a command writes, and who sees it.
package struct Terminal: Sendable {
    /// What the command was asked for.
    package let output: Output
    /// What a person should know besides, and failures.
    package let messages: Output
    /// Whether a person watches the messages, on a screen where a line can be drawn anew.
    package let isWatched: Bool
    /// Gives a line that a person typed, nil where none came; absent where nobody types.
    let typedLine: (@Sendable () -> String?)?
    /// Those of the command's signals that came since it began.
    package let signals: AsyncStream<Int32>

    static func standard(hearing signals: AsyncStream<Int32>) -> Terminal {
        Terminal(
            output: .standardOutput,
            messages: .standardError,
            isWatched: isatty(STDERR_FILENO) == 1,
            typedLine: isatty(STDIN_FILENO) == 1 ? { @Sendable in readLine() } : nil,
            signals: signals
        )
    }

    package init(
        output: Output,
        messages: Output,
        isWatched: Bool = false,
        typedLine: (@Sendable () -> String?)? = nil,
        signals: AsyncStream<Int32> = AsyncStream { $0.finish() }
    ) {
        self.output = output
        self.messages = messages
        self.isWatched = isWatched
        self.typedLine = typedLine
        self.signals = signals
    }
}

extension Terminal {
    /// Whether a person says yes; nil where nobody can be asked.
    package func confirms(_ question: String) throws(CommandFailure) -> Bool? {
        guard isWatched, let typedLine else { return nil }
        try messages.write("\(question) [y/N] ")
        return ["y", "yes"].contains(typedLine()?.lowercased())
    }
}
