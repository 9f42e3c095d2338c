import Glibc
import PrivateFiles

/// A terminal that does not show what is typed; there is at most one.
///
/// After the input it stays quiet until the next question or the end of the program, because a
/// person may type a secret early. `end` discards that input, so that no shell reads it.
///
/// If a signal ends or stops the process meanwhile, `restore` shows typed text again before, and
/// `silenceAgain` repeats the question after.
struct SilencedTerminal {
    private static let silence = LockedValue<Silence?>(nil)

    /// The number of times that the question was shown when the current input began.
    private var questionCount = 1

    init(
        _ descriptor: Int32,
        for input: SilentInput,
        asking ask: @escaping @Sendable () throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let isActive = try Self.silence.withLock { silence throws(CommandFailure) in
            var new = silence ?? Silence(descriptor: descriptor)
            new.prepare(for: input, asking: ask)
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
            Self.end()
            throw error
        }
    }

    /// Discards input that was typed early, and hides further input.
    func quieten() {
        Self.silence.withLock { $0?.quieten() }
    }

    /// Shows typed text again, and discards input that was typed early.
    static func end() {
        silence.withLock { silence in
            silence?.end()
            silence = nil
        }
    }

    /// Whether typed text is hidden now, which needs the foreground.
    static var isActive: Bool { silence.withLock { $0?.isActive ?? false } }

    /// Silences the terminal again after a stop; false while the process is in the background.
    ///
    /// It stops the job there, as a read would. A read would also wait for a key after the stop.
    static func awaitForeground() -> Bool {
        silenceAgain()
        guard silence.withLock({ $0?.isInForeground }) == false else { return true }
        kill(0, SIGTTIN)
        // The stop can come later, and a job without a shell is not stopped.
        _ = poll(nil, 0, 100)
        return false
    }

    /// Shows the open question again, if there is one.
    static func askAgain() throws(CommandFailure) {
        let ask = silence.withLock { $0?.isActive == true ? $0?.ask : nil }
        try ask?()
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

/// The input that a silenced terminal reads.
enum SilentInput {
    /// No key sends a signal.
    case secret
    /// Each key is read at once, and a read without a key returns no byte.
    case keys
    /// Nothing is read.
    case none

    fileprivate var disabledModes: tcflag_t {
        switch self {
        case .secret: tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        case .keys: tcflag_t(ECHO | ECHONL | ICANON | IEXTEN)
        case .none: tcflag_t(ECHO | ECHONL)
        }
    }

    /// A stop can discard keys that were already seen, and a drawn question must not wait for others.
    fileprivate var minimumByteCount: cc_t { self == .keys ? 0 : 1 }
}

private struct Silence {
    let descriptor: Int32
    private var input = SilentInput.none
    private(set) var ask: (@Sendable () throws(CommandFailure) -> Void)?
    private var before = termios()
    private(set) var isActive = false
    private(set) var questionCount = 1

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    mutating func prepare(
        for input: SilentInput,
        asking ask: (@Sendable () throws(CommandFailure) -> Void)?
    ) {
        self.input = input
        self.ask = ask
        questionCount = 1
    }

    /// Returns false if the terminal still shows what is typed.
    mutating func begin() -> Bool {
        guard isActive || tcgetattr(descriptor, &before) == 0 else { return false }
        var settings = before
        settings.c_lflag &= ~input.disabledModes
        if input != .none {
            withUnsafeMutableBytes(of: &settings.c_cc) { characters in
                characters[Int(VMIN)] = input.minimumByteCount
                characters[Int(VTIME)] = 0
            }
        }
        // Discards earlier input: it responds to no question.
        isActive = tcsetattr(descriptor, TCSAFLUSH, &settings) == 0
        return isActive
    }

    mutating func quieten() {
        prepare(for: .none, asking: nil)
        guard isActive, isInForeground else { return }
        _ = begin()
    }

    mutating func end() {
        guard isActive else { return }
        isActive = false
        // In the background, a change of the terminal would stop this process.
        guard isInForeground else { return }
        var before = before
        // A shell must not read the rest of a secret.
        tcsetattr(descriptor, TCSAFLUSH, &before)
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
    fileprivate static var notSilent: CommandFailure {
        CommandFailure(
            .inputOutput,
            localized(
                "cannot stop the terminal from showing what is typed",
                german: "das Terminal zeigt Eingaben weiter an"
            )
        )
    }
}
