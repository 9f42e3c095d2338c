import Glibc
import PrivateFiles
package import StrictJSON
import TransactionApproval

/// Writes one JSON object per line to a descriptor such as standard error.
///
/// It never waits, so that a blocked log does not block the server. A line that the reader does
/// not accept at once is dropped and counted.
package struct Log: Sendable {
    package enum Level: String, Comparable, CaseIterable, Sendable {
        case debug, info
        /// Only lines that an operator must act on.
        case error

        package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .error: 2
            }
        }
    }

    /// A field without a value is omitted.
    package typealias Fields = KeyValuePairs<String, JSONValue?>

    private let descriptor: Int32
    private let minimum: Level
    private let countDroppedLine: @Sendable () -> Void
    /// Held from the check for space to the write: another thread could take the space.
    private let lock = Lock()

    package init(
        to descriptor: Int32,
        from minimum: Level = .info,
        countingDroppedLines countDroppedLine: @escaping @Sendable () -> Void
    ) {
        self.descriptor = descriptor
        self.minimum = minimum
        self.countDroppedLine = countDroppedLine
    }

    /// `message` is one of a fixed set; everything variable is a field.
    package func write(_ level: Level, _ message: String, _ fields: Fields = [:]) {
        guard level >= minimum else { return }
        writeLine(level, message, fields)
    }

    /// Reports the start or end of a process at every level, so that a log without other lines
    /// shows whether the process ran.
    package func announce(_ message: String, _ fields: Fields = [:]) {
        writeLine(.info, message, fields)
    }

    private func writeLine(_ level: Level, _ message: String, _ fields: Fields) {
        // Only a text with NUL, or an object that repeats a name, cannot be written: `try?`.
        guard let line = try? Self.line(level, message, fields), isTaken(line) else {
            return countDroppedLine()
        }
    }

    private static func line(
        _ level: Level,
        _ message: String,
        _ fields: Fields
    ) throws(StrictJSON.Unwritable) -> [UInt8] {
        var object = JSONObjectWriter()
        try object.append("time", .string(Timestamp.ofWallClock.rfc3339))
        try object.append("level", .string(level.rawValue))
        try object.append("message", .string(message))
        for (name, value) in fields {
            if let value { try object.append(name, value) }
        }
        return object.line()
    }

    /// A pipe takes up to `PIPE_BUF` bytes as a whole, also from several threads.
    private func isTaken(_ line: [UInt8]) -> Bool {
        guard line.count <= PIPE_BUF else { return false }
        return lock.locked {
            var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            guard Glibc.poll(&poll, 1, 0) == 1, poll.revents & Int16(POLLOUT) != 0 else {
                return false
            }
            return withoutPipeSignal { Glibc.write(descriptor, line, line.count) } == line.count
        }
    }

    /// Without a reader, SIGPIPE would end the program that contains the server.
    private func withoutPipeSignal(_ write: () -> Int) -> Int {
        var (signals, before, pending) = (sigset_t(), sigset_t(), sigset_t())
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        sigpending(&pending)
        let count = write()
        if count < 0, errno == EPIPE, sigismember(&pending, SIGPIPE) == 0 {
            var noTime = timespec()
            sigtimedwait(&signals, nil, &noTime)
        }
        return count
    }
}
