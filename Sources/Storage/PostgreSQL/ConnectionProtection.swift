import CPostgres
import Glibc

/// The protection of a connection against machines between this one and the server.
///
/// The environment and the service file of libpq count too, because they can set another host.
enum ConnectionProtection: Equatable {
    /// All hosts are Unix sockets or loopback addresses.
    case thisMachine
    /// Another machine: TLS with a certificate of its name, and a password proof that is bound to
    /// this TLS connection.
    case verifiedServer
    /// The same, where a certificate of this client may take the place of the password.
    case verifiedServerAndClient

    /// Fails if another machine is named without `sslmode=verify-full`.
    ///
    /// Only the connection string can name a client certificate: the environment must not weaken
    /// the proof of the password.
    init(_ values: [String: String], inDefaults defaults: [String: String]) throws(StoreFailure) {
        let certificate = values["sslcert"] ?? ""
        let values = defaults.merging(values) { _, new in new }
        let hosts = Self.elements(of: values["host"])
        let addresses = Self.elements(of: values["hostaddr"])
        let other =
            hosts.first { !Self.isOnThisMachine($0) } ?? addresses.first { !isLoopback($0) }
        guard let other else {
            self = .thisMachine
            return
        }
        guard values["sslmode"] == "verify-full" else { throw .unprotected(host: other) }
        self = certificate.isEmpty ? .verifiedServer : .verifiedServerAndClient
    }

    /// The elements that are not empty: an empty one is the usual socket.
    private static func elements(of list: String?) -> [String] {
        (list ?? "").split(separator: ",").map(String.init)
    }

    private static func isOnThisMachine(_ host: String) -> Bool {
        isSocket(host) || host == "localhost" || isLoopback(host)
    }

    /// Whether it is the folder of a Unix socket, or the name of an abstract one.
    fileprivate static func isSocket(_ host: String) -> Bool {
        host.hasPrefix("/") || host.hasPrefix("@")
    }

    /// Options after the connection string, which therefore override it.
    var options: [(key: String, value: String)] {
        switch self {
        case .thisMachine, .verifiedServerAndClient: [("gssencmode", "disable")]
        case .verifiedServer: [("gssencmode", "disable"), ("channel_binding", "require")]
        }
    }

    /// Nil if a connection that was made has this protection; `localhost` may be a wrong name.
    func failure(of handle: OpaquePointer) -> StoreFailure? {
        let host = PQhost(handle).map { String(cString: $0) } ?? ""
        guard self == .thisMachine else {
            return PQsslInUse(handle) == 1 ? nil : .unprotected(host: host)
        }
        let address = PQhostaddr(handle).map { String(cString: $0) } ?? ""
        if Self.isSocket(host) || isLoopback(address) { return nil }
        return .elsewhere(host: host, address: address)
    }
}

/// Whether it is a literal address of this machine.
private func isLoopback(_ address: String) -> Bool {
    var (v4, v6) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, address, &v4) == 1 { return UInt32(bigEndian: v4.s_addr) >> 24 == 127 }
    guard inet_pton(AF_INET6, address, &v6) == 1 else { return false }
    return withUnsafeBytes(of: v6) { $0.elementsEqual([UInt8](repeating: 0, count: 15) + [1]) }
}
