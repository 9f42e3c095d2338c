import Glibc
import HardwareKeys
import PrivateFiles
package import StrictJSON
import TransactionApproval
import Verification

/// Writes one JSON object per line to a descriptor such as standard error.
///
/// It never waits, so that a blocked log does not block the verifier. A line that the reader does
/// not accept at once is dropped and counted.
package struct Log: Sendable {
    package typealias Level = VerifierServer.Configuration.Logging.Level

    /// A field without a value is omitted.
    package typealias Fields = KeyValuePairs<String, JSONValue?>

    private let descriptor: Int32
    private let minimum: Level
    private let metrics: Metrics
    /// Held from the check for space to the write: another thread could take the space.
    private let lock = Lock()

    package init(to descriptor: Int32, from minimum: Level = .info, metrics: Metrics) {
        self.descriptor = descriptor
        self.minimum = minimum
        self.metrics = metrics
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
            return metrics.countDroppedLine()
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

extension Log {
    /// The end is reported at every level, because the beginning is too.
    func write(_ change: OutageMonitor.Change) {
        switch change {
        case .began(let failure):
            let reason = [failure.sentence, failure.advice].compactMap { $0 }
            write(
                .error,
                "outage began",
                [
                    "failure": .string(failure.name),
                    "reason": .string(reason.joined(separator: "; ")),
                ]
            )
        case .ended(let duration):
            announce(
                "outage ended",
                ["seconds": .number(JSONNumber(duration.components.seconds))]
            )
        }
    }

    /// As for an outage, the end is reported at every level.
    func write(_ change: SecurityModule.Change) {
        switch change {
        case .lost(let failure):
            write(.error, "keys unavailable", ["reason": .string(failure.text)])
        case .returned: announce("keys available")
        }
    }

    package func write(_ report: RequestReport) {
        write(
            report.isRoutine ? .debug : .info,
            "request completed",
            [
                "request": .string(report.id.description),
                "api": .string(report.api.rawValue),
                "route": .string(report.route),
                "outcome": .string(report.outcome),
                "status": .number(JSONNumber(report.status)),
                "microseconds": .number(JSONNumber(Int64(report.duration.inSeconds * 1e6))),
                "token": report.token.map { .string($0.text) },
                "client": report.client.map { .string($0) },
            ]
        )
    }
}

extension RequestReport {
    /// Whether the request decides nothing, and such requests are frequent: files, and health checks
    /// without a failure.
    fileprivate var isRoutine: Bool {
        switch api {
        case .web: true
        case .operation: status == 200
        case .device, .bank: false
        }
    }
}
