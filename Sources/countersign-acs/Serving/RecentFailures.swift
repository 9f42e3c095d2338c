import PrivateFiles
import ThreeDSIssuer

/// Failures that were logged a moment ago: an outage repeats the same one each second.
final class RecentFailures: Sendable {
    /// A line of the log that a failure causes.
    enum Line: Equatable, Sendable {
        case failure
        /// The following failures that differ from the logged ones have no line.
        case furtherFailures
    }

    private struct Logged {
        var failures: [String: ContinuousClock.Instant] = [:]
        var furtherFailures: ContinuousClock.Instant?
    }

    private let logged = LockedValue(Logged())

    private static let interval = Duration.seconds(60)
    static let maximumCount = 1000

    /// Nil if the failure is not logged now.
    func line(
        about event: IssuerObserver.Event,
        at now: ContinuousClock.Instant = .now
    ) -> Line? {
        func isRecent(_ last: ContinuousClock.Instant) -> Bool { now - last < Self.interval }
        let text = event.repeatedText
        return logged.withLock { logged in
            if logged.failures[text].map(isRecent) ?? false { return nil }
            if logged.failures.count >= Self.maximumCount {
                logged.failures = logged.failures.filter { isRecent($0.value) }
            }
            if logged.failures.count < Self.maximumCount {
                logged.failures[text] = now
                return .failure
            }
            if logged.furtherFailures.map(isRecent) ?? false { return nil }
            logged.furtherFailures = now
            return .furtherFailures
        }
    }
}

extension IssuerObserver.Event {
    /// The same for each repetition: the number of attempts does not count.
    fileprivate var repeatedText: String {
        switch self {
        case .resultFailed(let authentication, let reason, _):
            "result \(authentication) \(reason)"
        case .eventFailed(let authentication, let reason, _):
            "event \(authentication) \(reason)"
        case .verifierFailed, .resultGivenUp, .resultRefused, .resultUnacknowledged, .errorReceived,
            .eventGivenUp, .storeFailed:
            "\(self)"
        }
    }
}
