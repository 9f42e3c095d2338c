import PrivateFiles
import ServerOperation
import ThreeDSIssuer

/// Counts what the ACS does, without any fact about a person or a card.
final class IssuerMetrics: Sendable {
    private struct Counts {
        var requests: [[String]: UInt64] = [:]
        var durations: [[String]: Histogram] = [:]
        /// Each kind begins with 0, so that a rise shows the first failure.
        var events = Dictionary(
            uniqueKeysWithValues: IssuerObserver.Event.Name.allCases.map {
                ([$0.rawValue], UInt64(0))
            }
        )
        var droppedLines: UInt64 = 0
    }

    private let counts = LockedValue(Counts())
    let refusals = ConnectionRefusals(
        at: ["server.directories", "server.challenges", "server.issuer", "operation"]
    )

    /// A request that no handler has seen has no duration.
    func count(_ response: RoutedResponse, by listener: String, lasting duration: Duration?) {
        counts.withLock { counts in
            counts.requests[[listener, response.route, response.outcome], default: 0] += 1
            if let duration { counts.durations[[listener], default: .ofRequests].add(duration) }
        }
    }

    func count(_ event: IssuerObserver.Event) {
        counts.withLock { $0.events[[event.name.rawValue], default: 0] += 1 }
    }

    func countDroppedLine() {
        counts.withLock { $0.droppedLines += 1 }
    }

    var text: String {
        let counts = counts.withLock { $0 }
        var text = MetricsText()
        text.add(
            "countersign_acs_requests_total",
            "Requests by listener, route and outcome.",
            by: ["listener", "route", "outcome"],
            counts.requests
        )
        text.add(
            "countersign_acs_request_seconds",
            "Duration of requests by listener.",
            by: ["listener"],
            counts.durations
        )
        text.add(
            "countersign_acs_failures_total",
            "Failures by kind.",
            by: ["kind"],
            counts.events
        )
        text.add(
            "countersign_acs_log_lines_dropped_total",
            "Log lines that the reader did not accept.",
            by: [],
            [[]: counts.droppedLines]
        )
        refusals.add(to: &text, of: "countersign_acs")
        return text.text
    }
}

extension IssuerObserver.Event {
    /// One word for logs and metrics.
    enum Name: String, CaseIterable {
        case verifierFailed, resultFailed, resultGivenUp, resultRefused, resultUnacknowledged
        case errorReceived, eventFailed, eventGivenUp, storeFailed
    }

    var name: Name {
        switch self {
        case .verifierFailed: .verifierFailed
        case .resultFailed: .resultFailed
        case .resultGivenUp: .resultGivenUp
        case .resultRefused: .resultRefused
        case .resultUnacknowledged: .resultUnacknowledged
        case .errorReceived: .errorReceived
        case .eventFailed: .eventFailed
        case .eventGivenUp: .eventGivenUp
        case .storeFailed: .storeFailed
        }
    }
}
