import HardwareKeys
package import ServerOperation
import StrictJSON
import TransactionApproval
import Verification

// The lines about the parts of a verifier.

extension Log {
    package init(to descriptor: Int32, from minimum: Level = .info, metrics: Metrics) {
        self.init(to: descriptor, from: minimum) { metrics.countDroppedLine() }
    }
}

extension Log {
    /// The end is reported at every level, because the beginning is too.
    func write(_ change: OutageMonitor.Change) {
        switch change {
        case .began(let failure): write("outage began", failure)
        case .continues(let failure): write("outage continues", failure)
        case .ended(let duration):
            announce(
                "outage ended",
                ["seconds": .number(JSONNumber(duration.components.seconds))]
            )
        }
    }

    private func write(_ message: String, _ failure: Verifier.Failure) {
        write(
            .error,
            message,
            ["failure": .string(failure.name), "reason": .string(failure.text)]
        )
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
        case .device, .bank, .http: false
        }
    }
}
