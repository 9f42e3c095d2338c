import Glibc
package import OneTimePassword

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
    /// The same of a line that the screen does not show, for a question that it is to ask.
    let typedSecret:
        (
            @Sendable (_ ask: @escaping @Sendable () throws(CommandFailure) -> Void)
                throws(CommandFailure) -> SecretBytes?
        )?
    /// Has the command's signals come to it, and from then on do nothing else; called once.
    package let hearSignals: @Sendable () -> AsyncStream<Int32>

    static func standard(
        hearingSignals hearSignals: @escaping @Sendable () -> AsyncStream<Int32>
    ) -> Terminal {
        let hasKeyboard = isatty(STDIN_FILENO) == 1
        return Terminal(
            output: .standardOutput,
            messages: .standardError,
            isWatched: isatty(STDERR_FILENO) == 1,
            typedLine: hasKeyboard ? { @Sendable in readLine() } : nil,
            typedSecret: hasKeyboard
                ? { @Sendable ask throws(CommandFailure) in
                    try CommandLineTool.typedSecret(on: STDIN_FILENO, asking: ask)
                } : nil,
            hearSignals: hearSignals
        )
    }

    package init(
        output: Output,
        messages: Output,
        isWatched: Bool = false,
        typedLine: (@Sendable () -> String?)? = nil,
        typedSecret: (
            @Sendable (@escaping @Sendable () throws(CommandFailure) -> Void)
                throws(CommandFailure) -> SecretBytes?
        )? = nil,
        hearSignals: @escaping @Sendable () -> AsyncStream<Int32> = { AsyncStream { $0.finish() } }
    ) {
        self.output = output
        self.messages = messages
        self.isWatched = isWatched
        self.typedLine = typedLine
        self.typedSecret = typedSecret
        self.hearSignals = hearSignals
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

extension Terminal {
    /// Whether there is somebody to ask.
    package var hasPerson: Bool { isWatched && typedLine != nil }

    /// What a person types to a question; nil where nobody can be asked, or answers.
    package func answer(to question: String) throws(CommandFailure) -> String? {
        guard isWatched, let typedLine else { return nil }
        try messages.write("\(question) ")
        return typedLine()
    }

    /// The same, where nobody is to see the answer.
    package func secretResponse(to question: String) throws(CommandFailure) -> SecretBytes? {
        guard isWatched, let typedSecret else { return nil }
        let answer = try typedSecret { [messages] () throws(CommandFailure) in
            try messages.write("\(question) ")
        }
        // Return did not show either.
        try messages.write("\n")
        return answer
    }

    /// One of several words, of which the beginning is enough; nil as for `answer`.
    ///
    /// Nothing else is taken for an answer, and so not Return alone.
    package func choice(
        _ question: String,
        among words: [String]
    ) throws(CommandFailure) -> String? {
        let question = "\(question) (\(words.joined(separator: "/")))"
        while let answer = try answer(to: question) {
            let meant = words.filter { !answer.isEmpty && $0.hasPrefix(answer.lowercased()) }
            if meant.count == 1 { return meant[0] }
        }
        return nil
    }
}
