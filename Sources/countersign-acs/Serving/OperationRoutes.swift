import HTTPServer
import PrivateFiles
import ServerOperation
import Storage
import ThreeDSIssuer

/// Health checks and metrics, at an endpoint of their own.
struct OperationRoutes: Sendable {
    private let metrics: IssuerMetrics
    private let readiness: StoreProbe<StoreReadiness>
    private let volume: Volume?
    private let isStopping: LockedValue<Bool>

    /// `volume`: the disk of the store; nil if another machine has the store.
    init(
        metrics: IssuerMetrics,
        of store: IssuerStore,
        on volume: Volume?,
        isStopping: LockedValue<Bool>
    ) {
        self.metrics = metrics
        readiness = StoreProbe(freshness: .zero) { await store.readiness }
        self.volume = volume
        self.isStopping = isStopping
    }

    private static let paths = ["/health/live", "/health/ready", "/metrics"]

    /// One of a fixed set, for the log.
    func route(of request: Request) -> String {
        Self.paths.first { $0 == request.target }.map { "GET \($0)" } ?? "unknown"
    }

    func respond(to request: Request) async -> Response {
        guard request.isReading else { return Response(status: 405, fields: [.allowReading]) }
        switch request.target {
        case "/health/live": return .text("live\n")
        case "/health/ready":
            if isStopping.withLock({ $0 }) { return .text("stopping\n", status: 503) }
            if let problem = volume?.problem { return .text("store.\(problem)\n", status: 503) }
            guard let readiness = await readiness.reading() else {
                return .text("store.timedOut\n", status: 503)
            }
            return .text("\(readiness.rawValue)\n", status: readiness == .ready ? 200 : 503)
        case "/metrics": return .text(metrics.text, type: MetricsText.contentType)
        default: return Response(status: 404)
        }
    }
}
