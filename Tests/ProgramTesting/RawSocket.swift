import Foundation

/// A socket of IPv4 on this machine, by which tests send what no client would, or take a port.
package final class RawSocket {
    package let descriptor: Int32

    package struct Failure: Error {
        private let number = errno

        package init() {}
    }

    /// Takes a port, or any free one for 0.
    package init(listeningAt port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard
            withAddress(port, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, 8) == 0
        else { throw Failure() }
    }

    package init(connectedTo port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard withAddress(port, { connect(descriptor, $0, $1) }) == 0 else { throw Failure() }
    }

    deinit { close(descriptor) }

    package var port: Int {
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &size)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    package func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard write(descriptor, bytes, bytes.count) == bytes.count else { throw Failure() }
    }

    /// All that comes until the other side closes.
    package func rest() -> String {
        var (all, block) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while case let count = read(descriptor, &block, block.count), count > 0 {
            all += block.prefix(count)
        }
        return String(decoding: all, as: UTF8.self)
    }
}

private func withAddress<Outcome>(
    _ port: Int,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Outcome
) -> Outcome {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
    }
}

/// A port that nobody has now.
package func freePort() throws -> Int {
    let listener = try RawSocket(listeningAt: 0)
    return listener.port
}
