package import ServerOperation

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
