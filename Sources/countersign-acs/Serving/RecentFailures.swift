import PrivateFiles
import ThreeDSIssuer

/// Failures that were logged a moment ago: an outage repeats the same one each second.
final class RecentFailures: Sendable {
    private let logged = LockedValue<[String: ContinuousClock.Instant]>([:])

    private static let interval = Duration.seconds(60)
    private static let maximumCount = 1000

    /// Whether the failure must be logged now.
    func isNew(_ event: IssuerObserver.Event) -> Bool {
        let now = ContinuousClock.now
        return logged.withLock { logged in
            let text = event.repeatedText
            if let last = logged[text], now - last < Self.interval { return false }
            if logged.count >= Self.maximumCount { logged = [:] }
            logged[text] = now
            return true
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
        case .verifierFailed, .resultGivenUp, .resultRefused, .eventGivenUp, .storeFailed:
            "\(self)"
        }
    }
}
