import HTTPServer
import PrivateFiles
import ServerOperation
import Storage

/// Health checks and metrics, at an endpoint of their own.
struct OperationRoutes: Sendable {
    let metrics: IssuerMetrics
    /// Reads a row of the store.
    let reachStore: @Sendable () async -> Bool
    /// The disk of the store; nil if another machine has the store.
    let volume: Volume?
    let isStopping: LockedValue<Bool>

    private static let paths = ["/health/live", "/health/ready", "/metrics"]

    /// One of a fixed set, for the log.
    func route(of request: Request) -> String {
        Self.paths.first { $0 == request.target }.map { "GET \($0)" } ?? "unknown"
    }

    func respond(to request: Request) async -> Response {
        guard request.method == "GET" else {
            return Response(status: 405, fields: [Field("allow", "GET")])
        }
        switch request.target {
        case "/health/live": return .text("live\n")
        case "/health/ready":
            if isStopping.withLock({ $0 }) { return .text("stopping\n", status: 503) }
            if volume?.isNearlyFull == true { return .text("store.nearlyFull\n", status: 503) }
            return await reachStore()
                ? .text("ready\n") : .text("store.unavailable\n", status: 503)
        case "/metrics": return .text(metrics.text, type: MetricsText.contentType)
        default: return Response(status: 404)
        }
    }
}
