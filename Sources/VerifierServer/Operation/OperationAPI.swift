package import HTTPServer
package import Verification

/// Answers those who run the verifier: whether it lives, whether it can be asked, what it did.
///
/// It is for a listener of its own. The address of a client would not tell who may ask: behind a
/// proxy on the same machine every client of the world comes from loopback. And a listener of its own
/// goes on answering while that of devices and banks is full, or takes nobody in any more.
package final class OperationAPI: Sendable {
    private let verifier: Verifier
    private let probe: StoreProbe
    private let volumes: [Volume]
    private let metrics: Metrics
    private let reporter: Reporter
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var isStopping = false

    /// A queue that is longer counts as this: counting it takes as long as it is.
    private static let longestQueue = 10_000

    package init(
        _ verifier: Verifier,
        writingTo volumes: [Volume] = [],
        metrics: Metrics,
        reporter: Reporter
    ) {
        self.verifier = verifier
        probe = StoreProbe { () async -> StoreProbe.ProbeResult in
            do throws(Verifier.Failure) {
                try await verifier.reachStore()
                return .reached
            } catch {
                metrics.count(error)
                return .failed(error)
            }
        }
        self.volumes = volumes
        self.metrics = metrics
        self.reporter = reporter
    }

    /// From now on it is not ready: whoever deals out requests is to ask others.
    package func stop() {
        lock.locked { isStopping = true }
    }

    package func answer(_ request: Request) async -> Response {
        await reporter.report(.operation) { await answered(request) }
    }

    private enum Route: String {
        case live = "/health/live"
        case ready = "/health/ready"
        case metrics = "/metrics"

        var name: String { "GET \(rawValue)" }
    }

    private func answered(_ request: Request) async -> Answered {
        guard let route = Route(rawValue: request.target) else {
            let code = BankErrorCode.notFound
            return Answered(Response(status: code.status), by: nil, outcome: code.rawValue)
        }
        guard request.method == "GET" else { return .wrongMethod(allowed: "GET") }
        return switch route {
        case .live: Answered(.text("live\n"), by: route.name)
        case .ready: await readiness(by: route)
        case .metrics: Answered(await counts(), by: route.name)
        }
    }

    private func readiness(by route: Route) async -> Answered {
        guard !lock.locked({ isStopping }) else {
            return .notReady("stopping", by: route.name)
        }
        // SQLite has room in its log for so small a write, long after a decision finds none.
        if let volume = volumes.first(where: \.isNearlyFull) {
            return .notReady(volume.name + ".nearlyFull", by: route.name)
        }
        return switch await probe.answer() {
        case .reached: Answered(.text("ready\n"), by: route.name)
        case .failed(let failure): .notReady(failure.name, by: route.name)
        case .silent: .notReady("store.silent", by: route.name)
        }
    }

    private func counts() async -> Response {
        var gauges = [Self.gauge(of: volumes)]
        do throws(Verifier.Failure) {
            gauges.append(
                Self.gauge(of: try await verifier.undelivered(countedTo: Self.longestQueue))
            )
        } catch {
            // What this process counted is told without the store too.
            metrics.count(error)
        }
        return .text(metrics.text(with: gauges), type: MetricsText.contentType)
    }

    private static func gauge(of volumes: [Volume]) -> Metrics.Gauge {
        Metrics.Gauge(
            "countersign_free_bytes",
            "What may still be written where the verifier writes; not ready below "
                + "\(Volume.minimumBytes).",
            by: "volume",
            volumes.compactMap { volume in volume.freeBytes.map { (volume.name, $0) } }
        )
    }

    private static func gauge(of queues: UndeliveredCount) -> Metrics.Gauge {
        Metrics.Gauge(
            "countersign_deliveries",
            "Deliveries that are not done, up to \(longestQueue) of each state.",
            by: "state",
            [("waiting", queues.waiting), ("dead", queues.dead)]
        )
    }
}

extension Answered {
    fileprivate static func notReady(_ reason: String, by route: String) -> Answered {
        Answered(.text(reason + "\n", status: 503), by: route, outcome: reason)
    }
}

extension Response {
    fileprivate static func text(
        _ text: String,
        status: Int = 200,
        type: String = "text/plain; charset=utf-8"
    ) -> Response {
        let fields = [Field("content-type", type), Field("cache-control", "no-store")]
        return Response(status: status, fields: fields, body: .bytes(Array(text.utf8)))
    }
}
