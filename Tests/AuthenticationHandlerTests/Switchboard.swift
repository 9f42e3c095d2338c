@testable import AuthenticationHandler
@testable import TransactionApproval

/// Sends each request to the server of its origin.
struct Switchboard: HTTPTransport {
    let servers: [ScriptedServer]
    /// Runs before the server receives the request.
    var wait: @Sendable (ScriptedServer) async -> Void = { _ in }

    func response(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedResponse {
        let uri = request.message.targetURI
        guard let server = servers.first(where: { uri.hasPrefix($0.origin + "/") }) else {
            throw .unreachable
        }
        await wait(server)
        return try await server.response(to: request)
    }
}
