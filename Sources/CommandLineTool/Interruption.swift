import Glibc

/// The signals that end or stop a program which does nothing about them.
///
/// With a terminal they are waited for instead, as it may be silent: it is given back first.
enum Interruption {
    /// But for those that the program gives itself by a fault, and those that nobody can wait for.
    private static let all = [
        SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF,
        SIGIO, SIGPWR, SIGXCPU,
    ]

    /// Without those that whoever began the program has it ignore, as `nohup` does.
    static var signals: [Int32] {
        guard isatty(STDIN_FILENO) == 1 else { return [] }
        return all.filter { !isIgnored($0) } + [SIGCONT]
    }

    /// Has the signal do to the process what it does to any other.
    ///
    /// This thread alone may take it.
    static func take(_ signal: Int32) {
        if signal != SIGCONT {
            SilencedTerminal.giveBack { act(signal) }
        }
        // It goes on here, where it was stopped or, without a shell that could wake it, was not.
        SilencedTerminal.takeAgain()
    }

    /// Has this thread be stopped where it reads from the terminal of another job, and not be refused;
    /// gives what it blocked before.
    ///
    /// The threads that Swift begins block the signal.
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
        // Functions cannot be compared; this one is a number.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
