import CLinux
import Glibc

extension Program {
    /// Runs the command of this process's arguments and then `end`, and exits.
    ///
    /// The first thread only waits for signals. If Swift used it to wait, every signal would
    /// interrupt that wait and end the process, even with the signal blocked in other threads.
    package func main(atEnd end: @escaping @Sendable () -> Void = {}) -> Never {
        // A closed pipe is then a failed write and does not end the process. Unlike SIG_IGN, child
        // processes do not inherit a handler.
        signal(SIGPIPE) { _ in }
        // If the parent process ignores it, the statuses of child processes are lost.
        signal(SIGCHLD, SIG_DFL)
        keepMemoryPrivate()
        // libcurl would write the keys of its connections to this file.
        unsetenv("SSLKEYLOGFILE")
        occupyStandardDescriptors()
        guard CommandLine.isUTF8 else {
            report(
                CommandFailure(
                    .usage,
                    localized("an argument is not UTF-8", german: "ein Argument ist nicht UTF-8")
                ),
                on: .standardError
            )
            _exit(ExitCode.usage.rawValue)
        }
        let words = Array(CommandLine.arguments.dropFirst())
        let handled = commandType(leading: words)?.signals ?? []
        // Each thread inherits the mask of the thread that starts it, so this comes first.
        let mask = block(only: handled + Interruption.signals)
        let signals = CommandSignals()
        // The main thread's own priority is higher. Threads for it would ask the system for more than
        // others get, and the runtime would log each refusal.
        Task(priority: .medium) {
            let terminal = Terminal.standard { signals.start() }
            let exitCode = await run(words, on: terminal)
            SilencedTerminal.end()
            end()
            // exit() would free memory of libraries that an ending thread frees as well.
            _exit(exitCode.rawValue)
        }
        wait(for: mask, handled: handled, by: signals)
    }

    private func wait(for mask: sigset_t, handled: [Int32], by signals: CommandSignals) -> Never {
        var mask = mask
        while true {
            var number: Int32 = 0
            guard sigwait(&mask, &number) == 0 else { continue }
            guard handled.contains(number) else {
                if let failure = Interruption.report(for: number) {
                    report(failure, on: .standardError)
                }
                Interruption.deliver(number)
                continue
            }
            // A reload request that arrives early waits until the command reads it.
            if signals.hasStarted || number == SIGHUP {
                signals.send(number)
            } else {
                Interruption.deliver(number)
                // In a container, process 1 survives a signal that ends other processes.
                _exit(128 + number)
            }
        }
    }

    /// Blocks only these signals, whatever signals the parent process blocked.
    private func block(only signals: [Int32]) -> sigset_t {
        var mask = sigset_t()
        sigemptyset(&mask)
        for signal in signals { sigaddset(&mask, signal) }
        pthread_sigmask(SIG_SETMASK, &mask, nil)
        return mask
    }

    /// Prevents core dumps, backtraces and access through /proc by other programs of this user.
    private func keepMemoryPrivate() {
        // Swift's backtracer prints registers and the memory that they point to.
        for crash in [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGTRAP]
        where !Interruption.isIgnored(crash) {
            signal(crash, SIG_DFL)
        }
        var limit = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
        _ = countersign_set_dumpable(0)
    }

    /// Opens closed standard descriptors in the unusable direction, so that a file opened later does
    /// not become standard input, output or error.
    private func occupyStandardDescriptors() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

extension CommandLine {
    /// Swift would replace invalid bytes, and the replacement would be signed.
    fileprivate static var isUTF8: Bool {
        (0..<Int(argc)).allSatisfy { index in
            guard let argument = unsafeArgv[index] else { return true }
            return String(validatingCString: argument) != nil
        }
    }
}
