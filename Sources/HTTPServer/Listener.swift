/// An address or socket at which a server listens.
package struct Listener: Sendable {
    enum Place {
        case address(SocketAddress)
        /// An open socket, which the server then owns.
        case inherited(CInt)
    }

    let place: Place
    let tls: TLSSettings?

    /// Listens at a numeric address such as `127.0.0.1` or `::`; port 0 means any free port.
    ///
    /// An IPv6 address does not accept IPv4 clients: add a listener for each.
    package init(_ host: String, port: Int, tls: TLSSettings? = nil) throws(ServerFailure) {
        place = .address(try SocketAddress(host, port: port))
        self.tls = tls
    }

    /// Takes over a listening TCP socket of a service manager.
    package init(inherited descriptor: CInt, tls: TLSSettings? = nil) throws(ServerFailure) {
        guard isListening(descriptor) else { throw .notListening(descriptor) }
        place = .inherited(descriptor)
        self.tls = tls
    }

    /// Returns whether only this machine can reach it.
    package var isLoopback: Bool {
        switch place {
        case .address(let address): address.isLoopback
        case .inherited(let descriptor): localAddress(of: descriptor)?.isLoopback ?? false
        }
    }
}
