package import Glibc
import PrivateFiles

/// Returns a free port that no other test uses until this process ends.
///
/// The kernel may use a port of the ephemeral range for any outgoing connection, before the server
/// of a test binds it. So these ports are below that range, and a lock reserves each of them.
package func freePort() throws -> Int {
    try reservedPorts.withLock { ports in
        while let port = ports.candidates.popLast() {
            guard let lock = PortLock(port), (try? LoopbackSocket(.bound, to: port)) != nil else {
                continue
            }
            ports.locks.append(lock)
            return port
        }
        throw NoFreePort()
    }
}

package struct NoFreePort: Error {}

private struct ReservedPorts {
    var candidates = (10_000..<30_000).shuffled()
    var locks: [PortLock] = []
}

private let reservedPorts = LockedValue(ReservedPorts())

/// An abstract socket with the port in its name, which the kernel removes with the process.
private struct PortLock: Sendable {
    private let descriptor: OwnedDescriptor

    /// Nil if another process has the lock.
    init?(_ port: Int) {
        let kind = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue
        // No descriptor, no lock: the caller tries another port.
        guard let descriptor = try? OwnedDescriptor(socket(AF_UNIX, Int32(kind), 0)) else {
            return nil
        }
        self.descriptor = descriptor
        let name = [0] + Array("countersign-test-port-\(port)".utf8)
        let isLocked = withUnixAddress(name) { bind(descriptor.number, $0, $1) } == 0
        guard isLocked else { return nil }
    }
}

/// Calls `body` with the address of a Unix socket; a name that begins with zero is abstract.
package func withUnixAddress<Result>(
    _ name: [UInt8],
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    precondition(name.count < MemoryLayout.size(ofValue: address.sun_path), "a short path")
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let isAbstract = name.first == 0
    let size = MemoryLayout<sa_family_t>.size + name.count + (isAbstract ? 0 : 1)
    return withUnsafePointer(to: address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(size)) }
    }
}
