import Glibc
import PrivateFiles

/// A terminal that does not show what is typed, until `end`; there is at most one.
///
/// If a signal ends or stops the process meanwhile, `restore` shows typed text again before, and
/// `silenceAgain` repeats the question after.
struct SilencedTerminal {
    private static let silence = LockedValue<Silence?>(nil)

    /// The number of times that the question was shown when the current input began.
    private var questionCount = 1

    init(
        _ descriptor: Int32,
        asking ask: @escaping @Sendable () throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let isActive = try Self.silence.withLock { silence throws(CommandFailure) in
            var new = Silence(descriptor: descriptor, ask: ask)
            // In the background, the read stops the process; `silenceAgain` shows the question
            // later.
            guard !new.isInForeground || new.begin() else { throw .notSilent }
            silence = new
            return new.isActive
        }
        guard isActive else { return }
        do throws(CommandFailure) {
            try ask()
        } catch {
            end()
            throw error
        }
    }

    func end() {
        Self.silence.withLock { silence in
            silence?.end()
            silence = nil
        }
    }

    /// Returns whether the question was repeated since the last call.
    mutating func hasRestarted() -> Bool {
        let now = Self.silence.withLock { $0?.questionCount } ?? questionCount
        defer { questionCount = now }
        return now != questionCount
    }

    /// Restores the terminal, then runs `body`, which may end or stop the process.
    static func restore(before body: () -> Void) {
        silence.withLock { silence in
            silence?.end()
            body()
        }
    }

    /// Silences the terminal again and repeats the question, if the process is in the foreground.
    static func silenceAgain() {
        let ask = silence.withLock { silence in
            silence?.beginAgain() == true ? silence?.ask : nil
        }
        // The person can respond even if the question cannot be shown: `try?`.
        try? ask?()
    }
}

private struct Silence {
    let descriptor: Int32
    let ask: @Sendable () throws(CommandFailure) -> Void
    var before = termios()
    var isActive = false
    var questionCount = 1

    init(descriptor: Int32, ask: @escaping @Sendable () throws(CommandFailure) -> Void) {
        self.descriptor = descriptor
        self.ask = ask
    }

    /// Returns false if the terminal still shows what is typed.
    mutating func begin() -> Bool {
        guard tcgetattr(descriptor, &before) == 0 else { return false }
        var settings = before
        settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        // Discards earlier input: the screen showed it, so it is not a secret.
        isActive = tcsetattr(descriptor, TCSAFLUSH, &settings) == 0
        return isActive
    }

    mutating func end() {
        guard isActive else { return }
        isActive = false
        // In the background, a change of the terminal would stop this process.
        guard isInForeground else { return }
        var before = before
        tcsetattr(descriptor, TCSANOW, &before)
    }

    /// Returns false if the terminal is already silent, or belongs to another process group.
    mutating func beginAgain() -> Bool {
        guard !isActive, isInForeground, begin() else { return false }
        questionCount += 1
        return true
    }

    /// True also for a terminal that is not the controlling one, which has no foreground group.
    var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }
}

extension CommandFailure {
    fileprivate static let notSilent = CommandFailure(
        .inputOutput,
        "cannot stop the terminal from showing what is typed"
    )
}
