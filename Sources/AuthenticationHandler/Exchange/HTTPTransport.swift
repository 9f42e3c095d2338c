package import TransactionApproval

/// Carries a request to a verifier, and brings back whatever came.
///
/// It follows no redirect, keeps nothing, and does not block its caller's thread.
package protocol HTTPTransport: Sendable {
    func answer(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedAnswer
}

package enum HTTPTransportFailure: Error, Equatable, Sendable {
    /// No connection, or none that lasted: whether the request arrived is unknown.
    case unreachable
    /// Somebody answered who cannot be the server.
    case untrusted
}
