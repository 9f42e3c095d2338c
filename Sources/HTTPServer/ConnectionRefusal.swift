/// A connection that the server closed before its first request.
package struct ConnectionRefusal: Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// The handshake ended because of the client's certificate, or because it has none; in
        /// OpenSSL's words.
        case certificate(String)
        /// There were `Limits.connections`.
        case connections
        /// The client's address had `Limits.connectionsPerAddress`.
        case connectionsPerAddress
    }

    package let reason: Reason
    /// The IP address of the client.
    package let address: String

    package init(_ reason: Reason, of address: String) {
        (self.reason, self.address) = (reason, address)
    }
}
