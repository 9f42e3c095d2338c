import CommandLineTool
import TransactionApproval

extension Configuration {
    /// What devices and the bank's programs call.
    struct Server: Equatable, Sendable {
        /// What they call it by, and what signatures are over.
        let origin: ServerOrigin
        let listening: Listening
        let connections: Connections
        /// How long those are waited for that it answers when it is told to stop.
        let drain: Duration
    }

    /// How many clients may be connected; more are turned away.
    struct Connections: Equatable, Sendable {
        let inAll: Int
        /// Nil for what is right where clients come from.
        let perAddress: Int?

        static let standard = Connections(inAll: 10_000, perAddress: nil)
    }

    /// Where requests come in.
    struct Listening: Equatable, Sendable {
        /// The member of the configuration that says so.
        let name: String
        let addresses: [Address]
        /// Nil for plain HTTP, which is for this machine alone.
        let tls: TLS?
    }

    struct TLS: Equatable, Sendable {
        let certificate: String
        let key: String
    }

    /// An address in numbers with a port: `192.0.2.1:443`, `[2001:db8::1]:443`.
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

        /// As it is written, with another port in the place of 0.
        func text(port: Int) -> String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }
    }
}

extension Configuration.Server {
    private static let counts = 1...1_000_000
    private static let seconds = 0...3600
    private static let standardSeconds = 20

    init(
        _ member: ConfigurationDocument.Server,
        in path: String,
        at listening: Configuration.Listening
    ) throws(CommandFailure) {
        guard let origin = ServerOrigin(member.origin) else {
            throw .malformed(path, "the member server.origin is not https://HOST or with :PORT")
        }
        func checked(
            _ number: Int,
            _ name: String,
            from range: ClosedRange<Int>
        ) throws(CommandFailure) -> Int {
            guard range.contains(number) else {
                let bounds = "\(range.lowerBound) to \(range.upperBound)"
                throw .malformed(path, "the member server.\(name) is not from \(bounds)")
            }
            return number
        }
        let standard = Configuration.Connections.standard
        connections = Configuration.Connections(
            inAll: try checked(
                member.connections ?? standard.inAll,
                "connections",
                from: Self.counts
            ),
            perAddress: try member.connectionsPerAddress.map { count throws(CommandFailure) in
                try checked(count, "connectionsPerAddress", from: Self.counts)
            }
        )
        let seconds = member.drainSeconds ?? Self.standardSeconds
        drain = .seconds(try checked(seconds, "drainSeconds", from: Self.seconds))
        self.origin = origin
        self.listening = listening
    }
}
