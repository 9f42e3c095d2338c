package import TransactionApproval

/// Sends requests to a verifier and returns the unverified responses.
///
/// It follows no redirects, stores nothing, and does not block the caller's thread.
package protocol HTTPTransport: Sendable {
    func response(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedResponse

    /// Sends a request whose response is a stream.
    func open(_ request: SignedRequest) async throws(HTTPTransportFailure) -> OpenResponse

    /// The same transport with pinned keys for these servers.
    func pinning(_ servers: [PinnedServer]) throws(AuthenticationError) -> any HTTPTransport
}

/// A response whose body is still being received.
package struct OpenResponse: Sendable {
    package let status: Int
    package let fields: [HTTPField]
    package let pieces: AsyncStream<[UInt8]>

    package init(status: Int, fields: [HTTPField], pieces: AsyncStream<[UInt8]>) {
        self.status = status
        self.fields = fields
        self.pieces = pieces
    }

    /// The head, with the given body.
    func unverified(_ body: [UInt8] = []) -> UnverifiedResponse {
        UnverifiedResponse(status: status, fields: fields, body: body)
    }
}

extension HTTPTransport {
    /// A transport without streams.
    package func open(
        _ request: SignedRequest
    ) async throws(HTTPTransportFailure) -> OpenResponse {
        throw .unreachable
    }

    /// A transport without TLS has no keys to pin.
    package func pinning(
        _ servers: [PinnedServer]
    ) throws(AuthenticationError) -> any HTTPTransport { self }
}

package enum HTTPTransportFailure: Error, Equatable, Sendable {
    /// The connection failed; nothing was sent.
    case unreachable
    /// The request was sent, at least in part, and no whole response arrived.
    case responseMissing
    /// The server is not trusted; nothing was sent.
    case untrusted
    /// The response is malformed.
    case malformed
    /// The settings are wrong: for example, the CA file cannot be read.
    case unusableSettings
}
