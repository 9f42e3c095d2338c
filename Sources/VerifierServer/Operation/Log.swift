import Glibc
package import StrictJSON
import TransactionApproval
import Verification

/// Writes what happens as lines of JSON, one object each, to a descriptor such as standard error.
///
/// Nobody ever waits for it: a line that whoever reads them does not take at once is counted and
/// lost, since a log that stands still must not make a verifier stand still.
package struct Log: Sendable {
    package enum Level: String, Comparable, Sendable {
        case debug, info
        /// What an operator must look at, and nothing else.
        case error

        private var rank: Int {
            switch self {
            case .debug: 0
            case .info: 1
            case .error: 2
            }
        }

        package static func < (left: Level, right: Level) -> Bool { left.rank < right.rank }
    }

    package typealias Fields = KeyValuePairs<String, JSONValue>

    private let descriptor: Int32
    private let least: Level
    private let metrics: Metrics

    package init(to descriptor: Int32, from least: Level = .info, metrics: Metrics) {
        self.descriptor = descriptor
        self.least = least
        self.metrics = metrics
    }

    /// `message` is one of a fixed set; whatever differs between two of its lines is a field.
    package func write(_ level: Level, _ message: String, _ fields: Fields = [:]) {
        guard level >= least else { return }
        writeLine(level, message, fields)
    }

    /// Says that a process begins or ends, however little is wanted: without that, nobody knows of
    /// a log that says nothing whether anything was there to say it.
    package func announce(_ message: String, _ fields: Fields = [:]) {
        writeLine(.info, message, fields)
    }

    private func writeLine(_ level: Level, _ message: String, _ fields: Fields) {
        let beginning: [JSONValue.Member] = [
            .init(name: "time", value: .string(Timestamp.ofWallClock.rfc3339)),
            .init(name: "level", value: .string(level.rawValue)),
            .init(name: "message", value: .string(message)),
        ]
        let members = beginning + fields.map { .init(name: $0.key, value: $0.value) }
        // Only a moment beyond what JSON holds is unwritable, and no field is one.
        guard let line = try? JSONValue.object(members).written(), isTaken(line + [0x0A]) else {
            return metrics.countUnwrittenLine()
        }
    }

    /// What fits a pipe's atomic write is written whole or not at all, beside other threads too.
    private func isTaken(_ line: [UInt8]) -> Bool {
        guard line.count <= PIPE_BUF else { return false }
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard Glibc.poll(&poll, 1, 0) == 1, poll.revents & Int16(POLLOUT) != 0 else { return false }
        return Glibc.write(descriptor, line, line.count) == line.count
    }
}

extension Log {
    /// Whoever watches the verifier asks every few seconds, and is told of only where it is refused.
    package func write(_ report: RequestReport) {
        write(
            report.api == .operation && report.status == 200 ? .debug : .info,
            "request answered",
            [
                "request": .string(report.id.description),
                "api": .string(report.api.rawValue),
                "route": .string(report.route),
                "outcome": .string(report.outcome),
                "status": .number(JSONNumber(report.status)),
                "microseconds": .number(JSONNumber(Int64(report.duration.inSeconds * 1e6))),
            ]
        )
    }
}
