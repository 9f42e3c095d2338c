import BankIntegration
import PrivateFiles
package import ServerOperation
import Storage
package import Verification

/// The counters of this process, without names of users.
package final class Metrics: Sendable {
    /// The values of the labels that belong together.
    private typealias Labels = [String]

    private struct Counts {
        var requests: [Labels: UInt64] = [:]
        var durations: [Labels: Histogram] = [:]
        var events: [Labels: UInt64] = [:]
        /// The usual failures of an outage begin with 0, so that a rise shows the first failure.
        var failures: [Labels: UInt64] = Dictionary(
            uniqueKeysWithValues: ["unavailable", "busy", "full", "uncertain"].map {
                (["store." + $0], 0)
            }
        )
        var deliveries: [Labels: UInt64] = [:]
        var deliveryAges: [Labels: Histogram] = [:]
        var droppedLines: UInt64 = 0
    }

    private let counts = LockedValue(Counts())
    let refusals = ConnectionRefusals(
        at: VerifierServer.Failure.Endpoint.allCases.map(\.section)
    )

    package init() {}

    package func count(_ report: RequestReport) {
        let route = [report.api.rawValue, report.route]
        counts.withLock { counts in
            counts.requests[route + [report.outcome], default: 0] += 1
            counts.durations[route, default: .ofRequests].add(report.duration)
        }
    }

    package func count(_ events: [Event.Kind]) {
        counts.withLock { counts in
            for event in events { counts.events[[event.rawValue], default: 0] += 1 }
        }
    }

    /// `age` is the age of a delivered one.
    func count(_ outcome: SendResult, to target: Delivery.Target, age: Duration? = nil) {
        counts.withLock { counts in
            counts.deliveries[["\(target)", outcome.name], default: 0] += 1
            if let age { counts.deliveryAges[["\(target)"], default: .ofDeliveries].add(age) }
        }
    }

    /// A delivery without a receiver, or with nothing to deliver any more.
    func countDropped(to target: Delivery.Target) {
        counts.withLock { $0.deliveries[["\(target)", "dropped"], default: 0] += 1 }
    }

    package func count(_ failure: Verifier.Failure) {
        counts.withLock { $0.failures[[failure.name], default: 0] += 1 }
    }

    func countDroppedLine() {
        counts.withLock { $0.droppedLines += 1 }
    }

    /// In the format of Prometheus, with values that are read now.
    package func text(with readings: [MetricsText.Reading]) -> String {
        let counts = counts.withLock { $0 }
        var text = MetricsText()
        text.add(
            "countersign_requests_total",
            "Completed requests by route and outcome.",
            by: ["api", "route", "outcome"],
            counts.requests
        )
        text.add(
            "countersign_request_seconds",
            "Time from the complete request to the complete response.",
            by: ["api", "route"],
            counts.durations
        )
        text.add(
            "countersign_events_total",
            "Events that this node recorded.",
            by: ["event"],
            counts.events
        )
        text.add(
            "countersign_delivery_attempts_total",
            "Delivery attempts of this node by outcome.",
            by: ["target", "outcome"],
            counts.deliveries
        )
        text.add(
            "countersign_delivery_age_seconds",
            "Time from an event to its delivery.",
            by: ["target"],
            counts.deliveryAges
        )
        text.add(
            "countersign_failures_total",
            "Operations that failed because of the store or the machine.",
            by: ["failure"],
            counts.failures
        )
        text.add(
            "countersign_log_lines_dropped_total",
            "Log lines dropped because the reader was too slow.",
            by: [],
            [[]: counts.droppedLines]
        )
        refusals.add(to: &text, of: "countersign")
        for reading in readings { text.add(reading) }
        return text.text
    }
}

extension Verifier.Failure {
    /// One word for logs and metrics, without stored data.
    var name: String {
        switch self {
        case _ where systemFailure != nil: "system"
        case .system: "system"
        case .store(let failure): "store." + failure.name
        case .sealedRecord: "sealedRecord"
        case .policy: "policy"
        case .confirmation: "confirmation"
        case .journal(.store(let failure)): "store." + failure.name
        case .journal: "journal"
        }
    }
}

extension StoreFailure {
    fileprivate var name: String {
        switch reason {
        case .malformedAddress: "malformedAddress"
        case .unprotected: "unprotected"
        case .elsewhere: "elsewhere"
        case .missing: "missing"
        case .exists: "exists"
        case .unsafeFile: "unsafeFile"
        case .strayLog: "strayLog"
        case .foreign: "foreign"
        case .altered: "altered"
        case .newer: "newer"
        case .older: "older"
        case .readOnly: "readOnly"
        case .missingRight: "missingRight"
        case .damaged: "damaged"
        case .forged: "forged"
        case .missingKey: "missingKey"
        case .full: "full"
        case .busy: "busy"
        case .unavailable: "unavailable"
        case .uncertain: "uncertain"
        case .rolledBack: "rolledBack"
        case .outdatedKey: "outdatedKey"
        case .conflict: "conflict"
        case .misuse: "misuse"
        case .system: "system"
        }
    }
}
