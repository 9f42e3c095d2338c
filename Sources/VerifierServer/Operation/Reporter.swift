package import HTTPServer
import TransactionApproval

/// Where every answer goes through: it gets its name there, is counted, and is told to the log.
package struct Reporter: Sendable {
    private let metrics: Metrics
    private let log: Log

    package init(metrics: Metrics, log: Log) {
        self.metrics = metrics
        self.log = log
    }

    /// The answer of an API as it goes out; one that is streamed is reported at its end.
    func report(
        _ api: RequestReport.API,
        _ answer: () async -> Answered
    ) async -> Response {
        let (id, start) = (Self.newID(), ContinuousClock.now)
        let answered = await answer()
        let response = answered.response
        // A stream keeps these for its long life, and not the fields of its answer with them.
        let (route, outcome) = (answered.route ?? RequestReport.unknownRoute, answered.outcome)
        let status = response.status
        let tell: @Sendable (String) -> Void = { outcome in
            report(
                RequestReport(
                    id: id,
                    api: api,
                    route: route,
                    outcome: outcome,
                    status: status,
                    duration: .now - start
                )
            )
        }
        switch response.body {
        case .bytes:
            tell(outcome)
            return response.named(id)
        case .stream(let stream):
            return response.named(id) { writer throws(Response.Cut) in
                do throws(Response.Cut) {
                    try await stream(writer)
                    tell(outcome)
                } catch {
                    tell(RequestReport.cut)
                    throw error
                }
            }
        }
    }

    /// The answer to what the server itself refuses, which no API gets to see.
    package func answer(_ rejection: Rejection) -> Response {
        let (id, response) = (Self.newID(), Response(status: rejection.status))
        report(
            RequestReport(
                id: id,
                api: .operation,
                route: RequestReport.unknownRoute,
                outcome: "\(rejection)",
                status: response.status,
                duration: .zero
            )
        )
        return response.named(id)
    }

    private func report(_ report: RequestReport) {
        metrics.count(report)
        log.write(report)
    }

    private static func newID() -> RequestID {
        // A machine without random bytes does nothing else either, and says so under this name.
        (try? RequestID.random()) ?? RequestID(checked: [UInt8](repeating: 0, count: 16))
    }
}

extension Response {
    /// With its name, and with another body where one is given.
    fileprivate func named(_ id: RequestID, streaming stream: Stream? = nil) -> Response {
        Response(
            status: status,
            fields: fields + [Field("request-id", id.description)],
            body: stream.map { .stream($0) } ?? body
        )
    }
}
