package import TransactionApproval

/// Carries a request to a verifier, and brings back whatever came.
///
/// It follows no redirect, keeps nothing, and does not block its caller's thread.
package protocol HTTPTransport: Sendable {
    func answer(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedAnswer

    /// The same, which talks to these servers only where they have one of their pinned keys.
    func pinning(_ servers: [PinnedServer]) throws(AuthenticationError) -> any HTTPTransport
}

extension HTTPTransport {
    /// One without TLS sees no key.
    package func pinning(
        _ servers: [PinnedServer]
    ) throws(AuthenticationError) -> any HTTPTransport { self }
}

package enum HTTPTransportFailure: Error, Equatable, Sendable {
    /// No connection, or none that lasted: whether the request arrived is unknown.
    case unreachable
    /// Somebody answered who cannot be the server.
    case untrusted
    /// The app's own settings allow no request: a file of authorities that cannot be read.
    case unusableSettings
}
