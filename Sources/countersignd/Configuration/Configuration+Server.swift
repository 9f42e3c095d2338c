import TransactionApproval

extension Configuration {
    /// The API for devices and for the bank's programs.
    struct Server: Equatable, Sendable {
        /// The public address, which signatures cover.
        let origin: ServerOrigin
        let listening: Listening
        let connections: Connections
        /// The timeout of a graceful shutdown.
        let drain: Duration
    }

    /// The limits on concurrent connections.
    struct Connections: Equatable, Sendable {
        let inAll: Int
        /// Nil for the server's default.
        let perAddress: Int?
    }

    /// The addresses of one server.
    struct Listening: Equatable, Sendable {
        /// The section of the configuration.
        let name: String
        let addresses: [Address]
        /// Nil for plain HTTP, which is accepted only on loopback addresses.
        let tls: TLS?
    }

    struct TLS: Equatable, Sendable {
        let certificate: String
        let key: String
    }

    /// An IP address with a port: `192.0.2.1:443`, `[2001:db8::1]:443`.
    struct Address: Equatable, Sendable {
        let host: String
        let port: Int

        init?(_ text: String) {
            guard
                let colon = text.lastIndex(of: ":"),
                let port = UInt16(text[text.index(after: colon)...])
            else { return nil }
            let host = text[..<colon]
            let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
            guard isBracketed == host.contains(":") else { return nil }
            self.host = String(isBracketed ? host.dropFirst().dropLast() : host)
            self.port = Int(port)
        }

        /// The address with the port that was assigned for port 0.
        func text(port: Int) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
    }
}

extension Configuration.Server {
    init(_ section: ConfigurationSection) throws(ConfigurationFault) {
        guard let origin = ServerOrigin(try section.text("origin")) else {
            throw section.fault("origin", "must be https://HOST or https://HOST:PORT")
        }
        self.origin = origin
        listening = try Configuration.Listening(section, named: "server")
        connections = Configuration.Connections(
            inAll: try section.number("connections"),
            perAddress: try section.optionalNumber("connectionsPerAddress")
        )
        drain = .seconds(try section.number("shutdownSeconds"))
    }
}

extension Configuration.Listening {
    init(_ section: ConfigurationSection, named name: String) throws(ConfigurationFault) {
        self.name = name
        addresses = try section.texts("listen").map { text throws(ConfigurationFault) in
            guard let address = Configuration.Address(text) else {
                throw section.fault("listen", "must contain IP addresses with ports")
            }
            return address
        }
        tls = try section.optionalSection("tls").map { tls throws(ConfigurationFault) in
            Configuration.TLS(
                certificate: try tls.file("certificate"),
                key: try tls.file("key")
            )
        }
    }
}
