/// Where clients come in.
package struct Listener: Sendable {
    enum Place {
        case address(SocketAddress)
        /// Open already, and given away to the server.
        case inherited(CInt)
    }

    let place: Place
    let tls: TLSSettings?

    /// Listens at an address in numbers, such as `127.0.0.1` or `::`; 0 stands for any free port.
    ///
    /// An address of IPv6 takes nothing of IPv4: each listener is for one of the two.
    package init(_ host: String, port: Int, tls: TLSSettings? = nil) throws(ServerFailure) {
        place = .address(try SocketAddress(host, port: port))
        self.tls = tls
    }

    /// Takes over a TCP socket that listens already, from a service manager.
    package init(inherited descriptor: CInt, tls: TLSSettings? = nil) throws(ServerFailure) {
        guard isListening(descriptor) else { throw .notListening(descriptor) }
        place = .inherited(descriptor)
        self.tls = tls
    }

    /// Whether only this machine can reach it.
    package var isLoopback: Bool {
        switch place {
        case .address(let address): address.isLoopback
        case .inherited(let descriptor): localAddress(of: descriptor)?.isLoopback ?? false
        }
    }
}
