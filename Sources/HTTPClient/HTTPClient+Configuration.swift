extension HTTPClient {
    /// A client's trust store, timeouts and limits.
    package struct Configuration: Sendable {
        /// The PEM file of trusted CA certificates; nil means the system's trust store.
        package var authorities: String?
        /// The server must have one of these keys, in addition to a trusted certificate.
        ///
        /// An empty list allows any key. Add a second pin before the server changes its key.
        package var pins: [PublicKeyPin] = []
        package var clientCertificate: ClientCertificate?
        package var proxy = Proxy.ofEnvironment
        /// Whether `http` URLs on loopback are allowed; these never use a proxy.
        package var allowsPlainLoopback = false
        /// From name lookup to the end of the TLS handshake.
        package var connectionTimeout = Duration.seconds(10)
        /// For the whole request, even if bytes arrive slowly.
        package var requestTimeout = Duration.seconds(30)
        /// From the end of the TLS handshake, when the request is sent; nil for no such limit.
        package var responseTimeout: Duration?
        /// Without the header.
        package var maximumResponseByteCount = 1 << 20

        package init() {}
    }

    /// Two PEM files.
    package struct ClientCertificate: Sendable {
        package let certificates: String
        package let privateKey: String

        package init(certificates: String, privateKey: String) {
            self.certificates = certificates
            self.privateKey = privateKey
        }
    }

    package enum Proxy: Sendable {
        /// From the environment variables `https_proxy`, `all_proxy` and `no_proxy`.
        case ofEnvironment
        case none
        /// One proxy for all servers.
        case url(String)
    }
}
