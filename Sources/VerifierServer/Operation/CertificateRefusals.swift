package import HTTPServer
import PrivateFiles
package import ServerOperation
import StrictJSON

/// Counts refused client certificates, and logs at most one of them in a minute.
///
/// A stranger can open any number of connections, and must not fill the log.
package final class CertificateRefusals: Sendable {
    private struct State {
        var count: UInt64 = 0
        var loggedCount: UInt64 = 0
        var logged: ContinuousClock.Instant?
    }

    private static let interval = Duration.seconds(60)

    private let state = LockedValue(State())
    private let metrics: Metrics
    private let log: Log

    package init(metrics: Metrics, log: Log) {
        (self.metrics, self.log) = (metrics, log)
    }

    package func note(_ refusal: CertificateRefusal, at now: ContinuousClock.Instant = .now) {
        metrics.countRefusedCertificate()
        let count: UInt64? = state.withLock { state in
            state.count += 1
            if let last = state.logged, now - last < Self.interval { return nil }
            defer { (state.logged, state.loggedCount) = (now, state.count) }
            return state.count - state.loggedCount
        }
        guard let count else { return }
        log.write(
            .info,
            "client certificate refused",
            [
                "reason": .string(refusal.reason), "client": .string(refusal.address),
                "count": .number(JSONNumber(count)),
            ]
        )
    }
}
