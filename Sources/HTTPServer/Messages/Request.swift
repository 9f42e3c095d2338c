/// A complete request.
package struct Request: Equatable, Sendable {
    package let method: String
    /// Path and query exactly as received.
    package let target: String
    /// In the order of arrival, including repeated fields.
    package let fields: [Field]
    package let body: [UInt8]
    package let peer: Peer

    package init(
        method: String,
        target: String,
        fields: [Field],
        body: [UInt8],
        peer: Peer = .loopback
    ) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.peer = peer
    }
}

/// The client of a connection.
package struct Peer: Equatable, Sendable {
    /// The numeric address without the port: `192.0.2.1`, `2001:db8::1`.
    package let address: String
    package let isSecured: Bool
    /// The client certificate in DER; the listener's CA issued it.
    package let certificate: [UInt8]?

    package init(address: String, isSecured: Bool, certificate: [UInt8]? = nil) {
        self.address = address
        self.isSecured = isSecured
        self.certificate = certificate
    }

    /// The addresses that count as one client: an IPv4 address, or an IPv6 /64.
    ///
    /// Nil for plain HTTP: all its clients have the address of a proxy on this machine.
    package var network: [UInt8]? {
        // `try?`: the system wrote the address, so it can be read.
        isSecured ? (try? SocketAddress(address, port: 0))?.network : nil
    }

    /// A client on this machine, over plain HTTP.
    package static let loopback = Peer(address: "127.0.0.1", isSecured: false)
}
