import Glibc
import PrivateFiles

/// The signals that end or stop a program by default.
///
/// At a terminal the program waits for them instead: it must restore a silenced terminal first.
enum Interruption {
    /// All of them except the signals of a crash, and signals that cannot be caught.
    private static let all = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
        SIGIO, SIGPWR, SIGXCPU,
    ]

    private static let result = LockedValue<CommandFailure?>(nil)

    /// The failure to report if a signal ends the program now.
    static func report(for signal: Int32) -> CommandFailure? {
        [SIGTSTP, SIGCONT].contains(signal) ? nil : result.withLock { $0 }
    }

    static func setReport(_ failure: CommandFailure?) { result.withLock { $0 = failure } }

    /// Without signals that the parent process ignores, as `nohup` does.
    static var signals: [Int32] {
        guard isatty(STDIN_FILENO) == 1 else { return [] }
        return all.filter { !isIgnored($0) } + [SIGCONT]
    }

    /// Lets the signal have its default effect on the process; called by the waiting thread only.
    static func deliver(_ signal: Int32) {
        if signal != SIGCONT {
            SilencedTerminal.restore { act(signal) }
        }
        // The process continues here after a stop, or if no shell could have resumed it.
        SilencedTerminal.silenceAgain()
    }

    /// Lets the kernel stop this thread if it reads from the terminal of another job; otherwise the
    /// read would fail.
    ///
    /// Returns the previous mask.
    ///
    /// Swift's threads block the signal.
    static func unblockStop() -> sigset_t {
        var (mask, before) = (sigset_t(), sigset_t())
        sigemptyset(&mask)
        sigaddset(&mask, SIGTTIN)
        pthread_sigmask(SIG_UNBLOCK, &mask, &before)
        return before
    }

    private static func act(_ signal: Int32) {
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, signal)
        raise(signal)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        pthread_sigmask(SIG_BLOCK, &mask, nil)
    }

    static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        // Swift cannot compare functions, and SIG_IGN is a number.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
