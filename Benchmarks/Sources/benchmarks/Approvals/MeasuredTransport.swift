import AuthenticationHandler
import Glibc
import HTTPServer
import TransactionApproval
import VerifierServer

/// Passes requests to a verifier in this process and measures the verifier's cost.
///
/// `@unchecked`: there is one request at a time, and the cost is read between requests.
final class MeasuredTransport: HTTPTransport, @unchecked Sendable {
    private let api: DeviceAPI
    private(set) var cost = ApprovingDevice.Cost(processorTime: 0, waits: 0)

    init(to api: DeviceAPI) {
        self.api = api
    }

    func resetCost() { cost = ApprovingDevice.Cost(processorTime: 0, waits: 0) }

    func response(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedResponse {
        let start = ApprovingDevice.Cost.now
        let message = request.message
        // The path follows the origin, which is a scheme and a host.
        let path = message.targetURI.split(separator: "/", maxSplits: 2).last ?? ""
        let response = await api.respond(
            to:
                Request(
                    method: message.method,
                    target: "/" + path,
                    fields: request.fields.map { Field($0.name, $0.value) },
                    body: message.body
                )
        )
        cost = cost + (ApprovingDevice.Cost.now - start)
        guard case .bytes(let body) = response.body else { throw .unreachable }
        return UnverifiedResponse(
            status: response.status,
            fields: response.fields.map { HTTPField($0.name, $0.value) },
            body: body
        )
    }
}

/// A clock that the benchmark sets.
///
/// `@unchecked`: it is never read and set at the same time.
final class Clock: @unchecked Sendable {
    private(set) var now = DecisionStore.moment

    func advance(by distance: Duration) { now = now + distance }
}
