import Glibc
import Synchronization

/// A terminal that shows nothing of what is typed, until `end`; there is one at most.
///
/// Where the process is ended or stopped meanwhile, `giveBack` has the terminal show again what is
/// typed, and `takeAgain` goes on from there.
struct SilencedTerminal {
    private static let silence = Mutex<Silence?>(nil)

    /// How often the question was put when what was typed so far began.
    private var askings = 1

    init(
        _ descriptor: Int32,
        asking ask: @escaping @Sendable () throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        let isHeld = try Self.silence.withLock { silence throws(CommandFailure) in
            var begun = Silence(descriptor: descriptor, ask: ask)
            // In the background, reading stops the process; `takeAgain` puts the question then.
            guard !begun.isInForeground || begun.begin() else { throw .silent }
            silence = begun
            return begun.isHeld
        }
        guard isHeld else { return }
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

    /// Whether the question was put again since the last time that this was asked.
    mutating func beganAgain() -> Bool {
        let now = Self.silence.withLock { $0?.askings } ?? askings
        defer { askings = now }
        return now != askings
    }

    /// Has the terminal be as it was for what `body` does, which may end the process.
    static func giveBack(for body: () -> Void) {
        silence.withLock { silence in
            silence?.end()
            body()
        }
    }

    /// Silences it again, once it is this process's, and puts the question again.
    static func takeAgain() {
        let ask = silence.withLock { silence in
            silence?.beginAgain() == true ? silence?.ask : nil
        }
        // Whoever cannot read the question may answer it all the same: `try?`.
        try? ask?()
    }
}

private struct Silence {
    let descriptor: Int32
    let ask: @Sendable () throws(CommandFailure) -> Void
    var before = termios()
    var isHeld = false
    var askings = 1

    init(descriptor: Int32, ask: @escaping @Sendable () throws(CommandFailure) -> Void) {
        self.descriptor = descriptor
        self.ask = ask
    }

    /// False where it goes on showing what is typed.
    mutating func begin() -> Bool {
        guard tcgetattr(descriptor, &before) == 0 else { return false }
        var settings = before
        settings.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        withUnsafeMutableBytes(of: &settings.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        // What was typed before was shown: it is not taken for a secret.
        isHeld = tcsetattr(descriptor, TCSAFLUSH, &settings) == 0
        return isHeld
    }

    mutating func end() {
        guard isHeld else { return }
        isHeld = false
        // To another process's terminal nothing is to be done; trying would stop this one.
        guard isInForeground else { return }
        var before = before
        tcsetattr(descriptor, TCSANOW, &before)
    }

    /// False where it is silent as it was, or another process has it.
    mutating func beginAgain() -> Bool {
        guard !isHeld, isInForeground, begin() else { return false }
        askings += 1
        return true
    }

    /// It need not be the terminal that the process is controlled by, and then nobody has it.
    var isInForeground: Bool {
        let group = tcgetpgrp(descriptor)
        return group < 0 || group == getpgrp()
    }
}

extension CommandFailure {
    fileprivate static let silent = CommandFailure(
        .inputOutput,
        "the terminal does not stop showing what is typed"
    )
}
