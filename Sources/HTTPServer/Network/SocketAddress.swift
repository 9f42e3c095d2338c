import Glibc

/// An IP address with a port.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private var size = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// Accepts only a numeric address: the meaning of a name can change.
    init(_ host: String, port: Int) throws(ServerFailure) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        defer { if let found { freeaddrinfo(found) } }
        guard
            (0...65_535).contains(port),
            getaddrinfo(host, String(port), &hints, &found) == 0,
            let address = found?.pointee, let bytes = address.ai_addr
        else { throw .malformedAddress("\(host):\(port)") }
        size = address.ai_addrlen
        withUnsafeMutableBytes(of: &storage) { [size] in
            $0.copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: Int(size)))
        }
    }

    /// Reads what a system call writes; nil if the call fails.
    init?(writtenBy call: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Bool) {
        var size = size
        let isWritten = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &size) }
        }
        guard isWritten else { return nil }
        self.size = size
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
        }
    }

    var family: CInt { CInt(storage.ss_family) }

    var isOfInternet: Bool { family == AF_INET || family == AF_INET6 }

    /// Both families have it as their second pair of bytes, in network byte order.
    var port: Int { Int(bytes[2]) << 8 | Int(bytes[3]) }

    /// The numeric address, without the port.
    var host: String {
        var text = [CChar](repeating: 0, count: 64)
        let status = withPointer { address, size in
            getnameinfo(address, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
        }
        guard status == 0 else { return "" }
        let host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        return isMappedIPv4 ? String(host.dropFirst("::ffff:".count)) : host
    }

    /// The addresses that count as one client: an IPv4 address, or an IPv6 /64.
    var network: [UInt8] {
        let bytes = bytes
        if family == AF_INET { return Array(bytes[4..<8]) }
        return isMappedIPv4 ? Array(bytes[20..<24]) : Array(bytes[8..<16])
    }

    var isLoopback: Bool {
        network.count == 4
            ? network[0] == 127
            : bytes[8..<24].elementsEqual([UInt8](repeating: 0, count: 15) + [1])
    }

    /// An IPv4 address that an IPv6 socket accepted: `::ffff:192.0.2.1`.
    private var isMappedIPv4: Bool {
        family == AF_INET6
            && bytes[8..<20].elementsEqual([UInt8](repeating: 0, count: 10) + [0xff, 0xff])
    }

    private var bytes: [UInt8] {
        withUnsafeBytes(of: storage) { Array($0.prefix(32)) }
    }
}
