import FailureTranslation
import Glibc
import HTTPServer

/// The addresses at which a server listens.
package struct ListenerSettings: Sendable {
    package var addresses: [ListenerAddress]
    /// Listening TCP sockets of a service manager; if there are any, `addresses` is not used.
    package var inheritedSockets: [Int32]
    /// Nil for plain HTTP, which is accepted only at loopback addresses.
    package var tls: TLSFiles?

    package init(
        addresses: [ListenerAddress],
        inheritedSockets: [Int32] = [],
        tls: TLSFiles? = nil
    ) {
        self.addresses = addresses
        self.inheritedSockets = inheritedSockets
        self.tls = tls
    }
}

extension ListenerSettings {
    /// Checks the addresses and all files as the start of a server does, but opens no socket.
    package func check() throws(ListenerFailure) {
        _ = try listeners()
        try tls?.check()
    }

    /// Checks the addresses as the start of a server does, but no file.
    package func checkAddresses() throws(ListenerFailure) {
        _ = try listeners(with: tls?.settings)
    }

    func listeners() throws(ListenerFailure) -> [Listener] {
        try tls?.checkAccess()
        return try listeners(with: tls?.settings)
    }

    private func listeners(with settings: TLSSettings?) throws(ListenerFailure) -> [Listener] {
        let listeners = try translating(
            inheritedSockets.isEmpty
                ? addresses.map { address throws(ServerFailure) in
                    try Listener(address.host, port: address.port, tls: settings)
                }
                : inheritedSockets.map { socket throws(ServerFailure) in
                    try Listener(inherited: socket, tls: settings)
                },
            to: ListenerFailure.server
        )
        guard !listeners.isEmpty else { throw .noAddress }
        guard tls != nil || listeners.allSatisfy(\.isLoopback) else { throw .plainHTTP }
        return listeners
    }
}

package struct ListenerAddress: Equatable, Sendable {
    /// An IP address such as `127.0.0.1` or `::`, not a name.
    package let host: String
    /// 0 for any free port.
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// An IP address with a port: `192.0.2.1:443`, `[2001:db8::1]:443`.
    package init?(_ text: String) {
        guard
            let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard isBracketed == host.contains(":") else { return nil }
        self.init(
            host: String(isBracketed ? host.dropFirst().dropLast() : host),
            port: Int(port)
        )
    }

    /// Returns whether only this machine can reach it.
    package var isLoopback: Bool {
        // A malformed address is reported when the server starts.
        (try? Listener(host, port: port))?.isLoopback ?? false
    }

    /// As it is written in a URL.
    package var text: String { text(port: port) }

    /// With the port that the system chose instead of 0.
    func text(port: Int) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}

/// Files in PEM for a server with TLS.
package struct TLSFiles: Equatable, Sendable {
    /// The certificate, followed by its chain.
    package let certificate: String
    /// The private key, which only its owner and its group may read.
    package let key: String
    /// CA certificates, one of which must be in the chain of the client's.
    ///
    /// Nil if clients need no certificate.
    package let clientAuthorities: String?

    package init(certificate: String, key: String, clientAuthorities: String? = nil) {
        self.certificate = certificate
        self.key = key
        self.clientAuthorities = clientAuthorities
    }
}

extension TLSFiles {
    fileprivate var settings: TLSSettings {
        TLSSettings(
            certificateFile: certificate,
            keyFile: key,
            clientAuthoritiesFile: clientAuthorities
        )
    }

    /// Checks all files as the start of a server does.
    package func check() throws(ListenerFailure) {
        try checkAccess()
        try translating(settings.check(), to: ListenerFailure.server)
    }

    /// Rejects a file that cannot be read, and a key that every user of the machine may read.
    func checkAccess() throws(ListenerFailure) {
        try checkKey()
        try Self.checkReading(.certificate, at: certificate)
        if let clientAuthorities {
            try Self.checkReading(.clientAuthorities, at: clientAuthorities)
        }
    }

    /// Rejects a key that every user of the machine may read.
    ///
    /// Its group may read it: certificates are often renewed by another user.
    package func checkKey() throws(ListenerFailure) {
        try Self.checkReading(.key, at: key)
        var status = stat()
        guard stat(key, &status) == 0 else { throw .unreadableFile(.key, path: key, errno) }
        guard status.st_mode & (S_IRWXO | S_IWGRP) == 0 else { throw .keyOpenToOthers(path: key) }
    }

    private static func checkReading(
        _ member: Member,
        at path: String
    ) throws(ListenerFailure) {
        guard access(path, R_OK) == 0 else { throw .unreadableFile(member, path: path, errno) }
    }

    /// The member of the configuration that names a file.
    package enum Member: String, Sendable {
        case certificate, key, clientAuthorities

        var content: String { self == .clientAuthorities ? "CA certificates" : rawValue }
    }
}
