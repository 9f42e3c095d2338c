import Foundation

extension Process {
    /// Starts the program with the signals of a shell's child.
    ///
    /// A child inherits the mask of the thread that starts it, and a thread of the dispatch library
    /// blocks most signals. One program starts at a time. Otherwise it can inherit a socket of another
    /// one, whose end is then noticed only after the end of both.
    package func start() throws {
        try starting.withLock {
            var (none, before) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            pthread_sigmask(SIG_SETMASK, &none, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            try run()
        }
    }
}

private let starting = NSLock()
