import Glibc

/// The input and output of a command.
package struct Terminal: Sendable {
    /// The result of the command.
    package let output: Output
    /// Prompts, notes and failures.
    package let messages: Output
    /// Whether a person sees the messages, on a screen that can redraw a line.
    package let isWatched: Bool
    /// Reads a line that a person types; nil at the end of input.
    ///
    /// Absent without a keyboard.
    let typedLine: (@Sendable () throws(CommandFailure) -> String?)?
    /// Shows a question, and then reads a line that the screen does not show.
    let typedSecret:
        (
            @Sendable (_ ask: @escaping @Sendable () throws(CommandFailure) -> Void)
                throws(CommandFailure) -> TypedSecret?
        )?
    /// Starts to send the command's signals to the command; called once.
    package let signals: @Sendable () -> AsyncStream<Int32>

    static func standard(
        signals: @escaping @Sendable () -> AsyncStream<Int32>
    ) -> Terminal {
        let hasKeyboard = isatty(STDIN_FILENO) == 1
        return Terminal(
            output: .standardOutput,
            messages: .standardError,
            isWatched: isatty(STDERR_FILENO) == 1,
            typedLine: hasKeyboard
                ? { @Sendable () throws(CommandFailure) in
                    try CommandLineTool.typedLine(on: STDIN_FILENO)
                } : nil,
            typedSecret: hasKeyboard
                ? { @Sendable ask throws(CommandFailure) in
                    try CommandLineTool.typedSecret(on: STDIN_FILENO, asking: ask)
                } : nil,
            signals: signals
        )
    }

    package init(
        output: Output,
        messages: Output,
        isWatched: Bool = false,
        typedLine: (@Sendable () throws(CommandFailure) -> String?)? = nil,
        typedSecret: (
            @Sendable (@escaping @Sendable () throws(CommandFailure) -> Void)
                throws(CommandFailure) -> TypedSecret?
        )? = nil,
        signals: @escaping @Sendable () -> AsyncStream<Int32> = { AsyncStream { $0.finish() } }
    ) {
        self.output = output
        self.messages = messages
        self.isWatched = isWatched
        self.typedLine = typedLine
        self.typedSecret = typedSecret
        self.signals = signals
    }
}

extension Terminal {
    /// Whether a person can respond to a question.
    package var isInteractive: Bool { isWatched && typedLine != nil }

    /// Returns whether the person agrees; nil without a person.
    package func confirms(_ question: String) throws(CommandFailure) -> Bool? {
        guard isInteractive else { return nil }
        return ["y", "yes"].contains(try response(to: "\(question) [y/N]")?.lowercased())
    }

    /// The line that the person types; nil without a person or at the end of input.
    package func response(to question: String) throws(CommandFailure) -> String? {
        guard isInteractive, let typedLine else { return nil }
        try ask("\(question) ")
        let line = try typedLine()
        // Ctrl-D leaves the cursor behind the question.
        if line == nil { try messages.write("\n") }
        return line
    }

    /// Shows typed text again after a secret, for a question or another program.
    ///
    /// Discards what was typed early: it may be a secret too.
    package func showTyping() { SilencedTerminal.end() }

    /// Reports this failure if a signal ends the program, for example Ctrl-C, until the next call.
    package func reportIfInterrupted(_ failure: CommandFailure?) {
        Interruption.setReport(failure)
    }

    private func ask(_ question: String) throws(CommandFailure) {
        showTyping()
        try messages.write(messages.wrapped(messages.shown(question)))
    }

    /// As `response`, but the screen does not show what is typed.
    package func secretResponse(to question: String) throws(CommandFailure) -> TypedSecret? {
        guard isWatched, let typedSecret else { return nil }
        let secret = Result { () throws(CommandFailure) in
            try typedSecret { [messages] () throws(CommandFailure) in
                try messages.write("\(question) ")
            }
        }
        // The screen did not show the last key either.
        try messages.write("\n")
        return try secret.get()
    }

    /// The value of a word, of which the first letters are enough; nil as for `response`.
    ///
    /// Repeats the question after any other input, the Return key alone included.
    package func choice<Value>(
        _ question: String,
        among values: [(word: String, value: Value)]
    ) throws(CommandFailure) -> Value? {
        let question = "\(question) (\(values.map(\.word).joined(separator: "/")))"
        while let typed = try response(to: question) {
            let matches = values.filter {
                !typed.isEmpty && $0.word.hasPrefix(typed.lowercased())
            }
            if matches.count == 1 { return matches[0].value }
        }
        return nil
    }

    /// Returns whether the person types yes; false without a person or at the end of input.
    package func agrees(to question: String) throws(CommandFailure) -> Bool {
        let yes = localized("yes", german: "ja")
        let no = localized("no", german: "nein")
        return try choice(question, among: [(yes, true), (no, false)]) ?? false
    }
}
