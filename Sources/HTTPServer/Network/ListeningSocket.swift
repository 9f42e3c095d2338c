import CLinux
import Glibc

final class ListeningSocket: Sendable {
    let descriptor: CInt

    init(_ place: Listener.Place) throws(ServerFailure) {
        switch place {
        case .inherited(let descriptor):
            self.descriptor = descriptor
            let flags = fcntl(descriptor, F_GETFL)
            guard
                fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
                fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
            else { throw .errorNumber(errno) }
        case .address(let address):
            let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
            descriptor = socket(address.family, CInt(kind), 0)
            guard descriptor >= 0 else { throw .errorNumber(errno) }
            set(SOL_SOCKET, SO_REUSEADDR)
            if address.family == AF_INET6 { set(CInt(IPPROTO_IPV6), IPV6_V6ONLY) }
            guard
                address.withPointer({ bind(descriptor, $0, $1) }) == 0,
                listen(descriptor, SOMAXCONN) == 0
            else { throw .errorNumber(errno) }
        }
        // Connections inherit both. Otherwise a second small write waits 40 ms for an acknowledgement,
        // and a client that lost its network holds its connection for 15 minutes.
        set(CInt(IPPROTO_TCP), TCP_NODELAY)
        set(CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, to: Self.acknowledgementTimeout)
    }

    /// The milliseconds after which sent data must be acknowledged.
    ///
    /// Longer than the deadline of a write, which ends connections of slow readers.
    private static let acknowledgementTimeout: CInt = 45_000

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    var port: Int { localAddress(of: descriptor)?.port ?? 0 }

    /// The next client; nil if none is waiting or the system has no resources for it.
    func accept() -> (descriptor: CInt, address: SocketAddress)? {
        while true {
            var descriptor: CInt = -1
            let address = SocketAddress { address, size in
                descriptor = countersign_accept(self.descriptor, address, &size)
                return descriptor >= 0
            }
            if let address { return (descriptor, address) }
            // The client has left, or a signal came: the next client may be waiting.
            guard errno == ECONNABORTED || errno == EINTR else { return nil }
        }
    }

    private func set(_ level: CInt, _ option: CInt, to value: CInt = 1) {
        var value = value
        setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout.size(ofValue: value)))
    }
}

func isListening(_ descriptor: CInt) -> Bool {
    var (result, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &result, &size) == 0 && result == 1
        && localAddress(of: descriptor)?.isOfInternet == true
}

func localAddress(of descriptor: CInt) -> SocketAddress? {
    SocketAddress { getsockname(descriptor, $0, &$1) == 0 }
}
