import Glibc
import HTTPClient

/// A port of this machine that nobody answers at, for as long as the value lives.
final class HeldPort: Sendable {
    let number: Int
    private let descriptor: Int32

    struct Refused: Error {}

    /// One that listens takes a connection and never says a word; else it takes none.
    init(listening: Bool) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) + getsockname(descriptor, $0, &length)
            }
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        guard status == 0, !listening || listen(descriptor, 8) == 0 else { throw Refused() }
    }

    var request: HTTPRequest { HTTPRequest(.get, "https://127.0.0.1:\(number)/") }

    deinit {
        close(descriptor)
    }
}
