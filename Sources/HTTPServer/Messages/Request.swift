/// A whole request, as it came in.
package struct Request: Equatable, Sendable {
    package let method: String
    /// Path and query as they went over the network, nothing normalised.
    package let target: String
    /// In their order, each as often as it came.
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

/// Who is at the other end of a connection, as far as the connection tells.
package struct Peer: Equatable, Sendable {
    /// In numbers, and without the port: `192.0.2.1`, `2001:db8::1`.
    package let address: String
    package let isSecured: Bool
    /// What the client showed and the listener's authorities issued, in DER.
    package let certificate: [UInt8]?

    package init(address: String, isSecured: Bool, certificate: [UInt8]? = nil) {
        self.address = address
        self.isSecured = isSecured
        self.certificate = certificate
    }

    /// What asks from inside this machine, over nothing that could be listened to.
    package static let loopback = Peer(address: "127.0.0.1", isSecured: false)
}
