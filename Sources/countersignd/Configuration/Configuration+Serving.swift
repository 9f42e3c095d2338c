import TransactionApproval

extension Configuration {
    /// What devices and the bank's programs call.
    struct Server: Equatable, Sendable {
        /// What they call it by, and what signatures are over.
        let origin: ServerOrigin
        let listening: Listening
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
