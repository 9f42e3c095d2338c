package import HTTPServer
package import ServerOperation
import TransactionApproval

/// Gives each response a request id, counts it and logs it.
package struct Reporter: Sendable {
    private let metrics: Metrics
    private let log: Log

    package init(metrics: Metrics, log: Log) {
        self.metrics = metrics
        self.log = log
    }

    /// Reports a streamed response at its end.
    func report(
        _ api: RequestReport.API,
        _ respond: () async -> ReportedResponse
    ) async -> Response {
        let (id, start) = (Self.newID(), ContinuousClock.now)
        let reported = await respond()
        let response = reported.response
        // Copied here, so that a long stream does not keep the whole response.
        let (route, outcome) = (reported.route ?? RequestReport.unknownRoute, reported.outcome)
        let (status, token, client) = (response.status, reported.token, reported.client)
        let reportOutcome: @Sendable (String) -> Void = { outcome in
            report(
                RequestReport(
                    id: id,
                    api: api,
                    route: route,
                    outcome: outcome,
                    status: status,
                    duration: .now - start,
                    token: token,
                    client: client
                )
            )
        }
        switch response.body {
        case .bytes:
            reportOutcome(outcome)
            return response.named(id)
        case .stream(let stream):
            return response.named(id) { writer throws(Response.Cut) in
                do throws(Response.Cut) {
                    try await stream(writer)
                    reportOutcome(outcome)
                } catch {
                    reportOutcome(RequestReport.cut)
                    throw error
                }
            }
        }
    }

    /// The response to a request that the HTTP server itself rejects.
    package func response(to refusal: RequestRefusal) -> Response {
        let (id, response) = (Self.newID(), Response(status: refusal.status))
        report(
            RequestReport(
                id: id,
                api: .http,
                route: RequestReport.unknownRoute,
                outcome: refusal.rawValue,
                status: response.status,
                duration: .zero
            )
        )
        return response.named(id)
    }

    func report(_ refusal: ConnectionRefusal, at endpoint: String) {
        metrics.refusals.note(refusal, at: endpoint, in: log)
    }

    private func report(_ report: RequestReport) {
        metrics.count(report)
        log.write(report)
    }

    private static func newID() -> RequestID {
        // Without random bytes nothing else works either; the log shows this id.
        (try? RequestID.random()) ?? RequestID(checked: [UInt8](repeating: 0, count: 16))
    }
}

extension Response {
    /// Adds the request id, and replaces the body by a stream if one is given.
    fileprivate func named(_ id: RequestID, streaming stream: Stream? = nil) -> Response {
        Response(
            status: status,
            fields: fields + [Field("request-id", id.description)],
            body: stream.map { .stream($0) } ?? body
        )
    }
}
