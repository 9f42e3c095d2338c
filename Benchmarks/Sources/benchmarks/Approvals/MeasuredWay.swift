import AuthenticationHandler
import Glibc
import HTTPServer
import TransactionApproval
import VerifierServer

/// The way to a verifier in this process, which says what the verifier cost.
///
/// `@unchecked`: one request is on its way at a time, and the cost is read between them.
final class MeasuredWay: HTTPTransport, @unchecked Sendable {
    private let api: DeviceAPI
    private(set) var cost = ApprovingDevice.Cost(processorTime: 0, waits: 0)

    init(to api: DeviceAPI) {
        self.api = api
    }

    func begin() { cost = ApprovingDevice.Cost(processorTime: 0, waits: 0) }

    func answer(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedResponse {
        let start = ApprovingDevice.Cost.now
        let message = request.message
        // Behind the origin, which is a scheme and a host.
        let path = message.targetURI.split(separator: "/", maxSplits: 2).last ?? ""
        let response = await api.answer(
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

/// Time that is moved by hand.
///
/// `@unchecked`: nobody asks while it is moved.
final class Clock: @unchecked Sendable {
    private(set) var now = DecisionStore.moment

    func advance(by distance: Duration) { now = now + distance }
}
