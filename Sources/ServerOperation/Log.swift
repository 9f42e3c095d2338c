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
        let beginning: [JSONValue.Member] = [
            .init(name: "time", value: .string(Timestamp.ofWallClock.rfc3339)),
            .init(name: "level", value: .string(level.rawValue)),
            .init(name: "message", value: .string(message)),
        ]
        let members =
            beginning
            + fields.compactMap { name, value in value.map { .init(name: name, value: $0) } }
        // Only times outside the range of JSON cannot be written, and no field has one.
        guard let line = try? JSONValue.object(members).written(), isTaken(line + [0x0A]) else {
            return countDroppedLine()
        }
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
