import PrivateFiles
import Storage
package import Verification

/// The counters of this process, without names of users.
package final class Metrics: Sendable {
    fileprivate struct Requests: Hashable {
        let api: RequestReport.API
        let route: String
        let outcome: String
    }

    fileprivate struct Route: Hashable {
        let api: RequestReport.API
        let route: String
    }

    fileprivate struct Deliveries: Hashable {
        let target: Delivery.Target
        let outcome: String
    }

    fileprivate struct Counts {
        var requests: [Requests: UInt64] = [:]
        var durations: [Route: Histogram] = [:]
        var events: [Event.Kind: UInt64] = [:]
        var storeFailures: [String: UInt64] = [:]
        var deliveries: [Deliveries: UInt64] = [:]
        var deliveryAges: [Delivery.Target: Histogram] = [:]
        var droppedLines: UInt64 = 0
    }

    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var counts = Counts()

    package init() {}

    package func count(_ report: RequestReport) {
        let route = Route(api: report.api, route: report.route)
        let requests = Requests(api: report.api, route: report.route, outcome: report.outcome)
        lock.locked {
            counts.requests[requests, default: 0] += 1
            counts.durations[route, default: .ofRequests].add(report.duration)
        }
    }

    package func count(_ events: [Event.Kind]) {
        lock.locked { for event in events { counts.events[event, default: 0] += 1 } }
    }

    /// `age` is the age of a delivered one.
    func count(_ outcome: SendResult, to target: Delivery.Target, age: Duration? = nil) {
        let deliveries = Deliveries(target: target, outcome: outcome.name)
        lock.locked {
            counts.deliveries[deliveries, default: 0] += 1
            if let age { counts.deliveryAges[target, default: .ofDeliveries].add(age) }
        }
    }

    package func count(_ failure: Verifier.Failure) {
        lock.locked { counts.storeFailures[failure.name, default: 0] += 1 }
    }

    func countDroppedLine() {
        lock.locked { counts.droppedLines += 1 }
    }

    /// In the format of Prometheus, with gauges that are read now.
    package func text(with gauges: [Gauge]) -> String {
        let counts = lock.locked { self.counts }
        var text = MetricsText()
        counts.writeRequests(to: &text)
        text.begin("countersign_events_total", .counter, "Events that this node recorded.")
        for (kind, count) in counts.events.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            text.add("countersign_events_total", count, ["event": kind.rawValue])
        }
        counts.writeDeliveries(to: &text)
        text.begin(
            "countersign_failures_total",
            .counter,
            "Operations that failed because of the store or the machine."
        )
        for (failure, count) in counts.storeFailures.sorted(by: { $0.key < $1.key }) {
            text.add("countersign_failures_total", count, ["failure": failure])
        }
        text.begin(
            "countersign_log_lines_dropped_total",
            .counter,
            "Log lines dropped because the reader was too slow."
        )
        text.add("countersign_log_lines_dropped_total", counts.droppedLines)
        for gauge in gauges { gauge.write(to: &text) }
        return text.text
    }
}

extension Metrics {
    /// A value that is read when it is needed.
    package struct Gauge: Sendable {
        let name: String
        let help: String
        let values: [(label: String, value: Int)]
        let label: String

        package init(
            _ name: String,
            _ help: String,
            by label: String,
            _ values: [(label: String, value: Int)]
        ) {
            self.name = name
            self.help = help
            self.label = label
            self.values = values
        }

        fileprivate func write(to text: inout MetricsText) {
            text.begin(name, .gauge, help)
            for (value, count) in values { text.add(name, count, [label: value]) }
        }
    }
}

extension Metrics.Counts {
    fileprivate func writeRequests(to text: inout MetricsText) {
        let total = "countersign_requests_total"
        text.begin(total, .counter, "Completed requests by route and outcome.")
        for (key, count) in requests.sorted(by: { $0.key.order < $1.key.order }) {
            text.add(
                total,
                count,
                ["api": key.api.rawValue, "route": key.route, "outcome": key.outcome]
            )
        }
        let seconds = "countersign_request_seconds"
        text.begin(seconds, .histogram, "Time from the complete request to the complete response.")
        for (key, histogram) in durations.sorted(by: { $0.key.route < $1.key.route }) {
            text.add(seconds, histogram, ["api": key.api.rawValue, "route": key.route])
        }
    }
}

extension Metrics.Counts {
    fileprivate func writeDeliveries(to text: inout MetricsText) {
        let total = "countersign_delivery_attempts_total"
        text.begin(total, .counter, "Delivery attempts of this node by outcome.")
        for (key, count) in deliveries.sorted(by: { $0.key.order < $1.key.order }) {
            text.add(total, count, ["target": "\(key.target)", "outcome": key.outcome])
        }
        let age = "countersign_delivery_age_seconds"
        text.begin(age, .histogram, "Time from an event to its delivery.")
        for target in Delivery.Target.allCases {
            guard let histogram = deliveryAges[target] else { continue }
            text.add(age, histogram, ["target": "\(target)"])
        }
    }
}

extension Metrics.Deliveries {
    fileprivate var order: String { "\(target) \(outcome)" }
}

extension Metrics.Requests {
    fileprivate var order: String { "\(api.rawValue) \(route) \(outcome)" }
}

extension Verifier.Failure {
    /// One word for logs and metrics, without stored data.
    var name: String {
        switch self {
        case .store(let failure): "store." + failure.name
        case .machine: "machine"
        case .sealedRecord: "sealedRecord"
        case .policy: "policy"
        case .journal: "journal"
        }
    }
}

extension StoreFailure {
    fileprivate var name: String {
        switch reason {
        case .malformedAddress: "malformedAddress"
        case .missing: "missing"
        case .exists: "exists"
        case .unsafeFile: "unsafeFile"
        case .strayLog: "strayLog"
        case .foreign: "foreign"
        case .newer: "newer"
        case .older: "older"
        case .readOnly: "readOnly"
        case .damaged: "damaged"
        case .full: "full"
        case .busy: "busy"
        case .unavailable: "unavailable"
        case .uncertain: "uncertain"
        case .rolledBack: "rolledBack"
        case .outdatedKey: "outdatedKey"
        case .conflict: "conflict"
        case .misuse: "misuse"
        }
    }
}
