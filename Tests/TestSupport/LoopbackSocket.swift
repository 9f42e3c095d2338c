package import Glibc

/// An IPv4 socket on 127.0.0.1, for bytes that no normal client sends, or to hold a port.
package final class LoopbackSocket: Sendable {
    package let descriptor: OwnedDescriptor

    package enum Use {
        /// Holds the port, and refuses connections.
        case bound
        /// Accepts connections into the queue, and never responds.
        case listening
        case connected
    }

    /// Port 0 means any free port.
    package init(_ use: Use, to port: Int = 0) throws(OwnedDescriptor.Failure) {
        let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
        descriptor = try OwnedDescriptor(socket(AF_INET, Int32(kind), 0))
        let number = descriptor.number
        let succeeded = withLoopbackAddress(port: port) { address, size in
            switch use {
            case .bound: bind(number, address, size) == 0
            case .listening: bind(number, address, size) == 0 && listen(number, 8) == 0
            case .connected: connect(number, address, size) == 0
            }
        }
        guard succeeded else { throw OwnedDescriptor.Failure() }
    }

    package var port: Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor.number, $0, &size)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    package func send(_ text: String) throws(OwnedDescriptor.Failure) {
        let bytes = Array(text.utf8)
        guard Glibc.send(descriptor.number, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
        else { throw OwnedDescriptor.Failure() }
    }

    /// All bytes until the other side closes the connection.
    package func remainingText() -> String {
        var (all, block) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while case let count = read(descriptor.number, &block, block.count), count > 0 {
            all += block.prefix(count)
        }
        return String(decoding: all, as: UTF8.self)
    }
}

/// Calls `body` with the address of a port at 127.0.0.1 or another IPv4 `host`.
package func withLoopbackAddress<Result>(
    _ host: String = "127.0.0.1",
    port: Int,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    inet_pton(AF_INET, host, &address.sin_addr)
    return withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}
