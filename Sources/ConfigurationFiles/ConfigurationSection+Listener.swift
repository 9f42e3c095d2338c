package import ServerOperation

/// A listener, with the section of the configuration that has its member `listen`.
package struct NamedListener: Sendable {
    package let section: String
    package let settings: ListenerSettings

    package init(section: String, settings: ListenerSettings) {
        (self.section, self.settings) = (section, settings)
    }
}

extension [NamedListener] {
    /// Two listeners cannot have one port of an address.
    package func checkAddresses() throws(ConfigurationFailure) {
        var used: [(address: ListenerAddress, section: String)] = []
        for listener in self {
            for address in listener.settings.addresses {
                if let other = used.first(where: { $0.address.overlaps(address) }) {
                    throw ConfigurationFailure(
                        other.section == listener.section
                            ? "the member \(listener.section).listen has \(address.text) twice"
                            : "the members \(other.section).listen and \(listener.section).listen "
                                + "have the same address and port: \(address.text)"
                    )
                }
                used.append((address, listener.section))
            }
        }
    }
}

extension ListenerAddress {
    private static let wildcards = ["0.0.0.0", "::"]

    /// Whether the system refuses to listen at both; port 0 is any free port.
    fileprivate func overlaps(_ other: ListenerAddress) -> Bool {
        let isSameFamily = host.contains(":") == other.host.contains(":")
        let isWildcard = [host, other.host].contains(where: Self.wildcards.contains)
        return port != 0 && port == other.port
            && (host == other.host || (isSameFamily && isWildcard))
    }
}

extension ConfigurationSection {
    /// The members `listen` and `tls`.
    package func listenerSettings() throws(ConfigurationFailure) -> ListenerSettings {
        let addresses = try texts("listen").map { text throws(ConfigurationFailure) in
            guard let address = ListenerAddress(text) else {
                throw failure("listen", "must contain IP addresses with ports")
            }
            return address
        }
        let tls = try optionalSection("tls").map { tls throws(ConfigurationFailure) in
            TLSFiles(
                certificate: try tls.file("certificate"),
                key: try tls.file("key"),
                clientAuthorities: try tls.optionalFile("clientAuthorities")
            )
        }
        return ListenerSettings(addresses: addresses, tls: tls)
    }
}
