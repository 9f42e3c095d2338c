import HTTPServer
import PrivateFiles
import TestSupport

/// A program of the issuer that receives events over TLS, all at the same time.
final class EventReceiver: Sendable {
    struct Delivery: Sendable {
        /// The same in all deliveries of one event.
        let id: String?
        let body: [UInt8]
    }

    private struct State {
        var deliveries: [Delivery] = []
        /// How many deliveries get their responses.
        var limit = Int.max
        var waiting: [AsyncStream<Void>.Continuation] = []
    }

    let url: String
    private let state: LockedValue<State>
    private let server: Server

    /// Responds to the first `limit` deliveries, and to all others after `respondToAll`.
    init(respondingTo limit: Int = .max) async throws {
        let certificate = try Certificates.shared.get().path(.server)
        let tls = TLSSettings(certificateFile: certificate, keyFile: certificate)
        let state = LockedValue(State(limit: limit))
        server = try Server([Listener("127.0.0.1", port: 0, tls: tls)]) { request in
            await Self.response(to: request, state)
        }
        self.state = state
        url = "https://localhost:\(server.ports[0])/cards"
        try await server.start()
    }

    /// All that arrived, in their order.
    var deliveries: [Delivery] { state.withLock { $0.deliveries } }

    func respondToAll() {
        let waiting = state.withLock { state in
            state.limit = .max
            return state.waiting
        }
        for delivery in waiting { delivery.finish() }
    }

    private static func response(
        to request: Request,
        _ state: LockedValue<State>
    ) async -> Response {
        let id = request.fields.first { $0.name.lowercased() == "webhook-id" }?.value
        let delivery = Delivery(id: id, body: request.body)
        // The end of the client ends the wait, too.
        let (releases, release) = AsyncStream<Void>.makeStream()
        state.withLock { state in
            state.deliveries.append(delivery)
            if state.deliveries.count > state.limit {
                state.waiting.append(release)
            } else {
                release.finish()
            }
        }
        for await _ in releases {}
        return Response(status: 204)
    }
}
