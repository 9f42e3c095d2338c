package import TransactionApproval

/// Carries a request to a verifier, and brings back whatever came.
///
/// It follows no redirect, keeps nothing, and does not block its caller's thread.
package protocol HTTPTransport: Sendable {
    func answer(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedResponse

    /// The same, where the answer may have no end: it is read as it comes.
    func open(_ request: SignedRequest) async throws(HTTPTransportFailure) -> OpenResponse

    /// The same, which talks to these servers only where they have one of their pinned keys.
    func pinning(_ servers: [PinnedServer]) throws(AuthenticationError) -> any HTTPTransport
}

/// Whatever comes back for a request, while it does.
package struct OpenResponse: Sendable {
    package let status: Int
    package let fields: [HTTPField]
    package let pieces: AsyncStream<[UInt8]>

    package init(status: Int, fields: [HTTPField], pieces: AsyncStream<[UInt8]>) {
        self.status = status
        self.fields = fields
        self.pieces = pieces
    }

    /// Its head alone, or with all that came.
    func unverified(_ body: [UInt8] = []) -> UnverifiedResponse {
        UnverifiedResponse(status: status, fields: fields, body: body)
    }
}

extension HTTPTransport {
    /// A way of whole answers leads to no other.
    package func open(
        _ request: SignedRequest
    ) async throws(HTTPTransportFailure) -> OpenResponse {
        throw .unreachable
    }

    /// One without TLS sees no key.
    package func pinning(
        _ servers: [PinnedServer]
    ) throws(AuthenticationError) -> any HTTPTransport { self }
}

package enum HTTPTransportFailure: Error, Equatable, Sendable {
    /// No connection, or none that lasted: whether the request arrived is unknown.
    case unreachable
    /// Somebody answered who cannot be the server, and was sent nothing.
    case untrusted
    /// What came back is no answer of ours.
    case malformed
    /// The app's own settings allow no request: a file of authorities that cannot be read.
    case unusableSettings
}
