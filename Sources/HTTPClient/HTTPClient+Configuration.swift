extension HTTPClient {
    /// Whom a client trusts, and how long and how much it takes.
    package struct Configuration: Sendable {
        /// The PEM file of the only authorities to trust; nil for those that the system trusts.
        package var authorities: String?
        /// One of these keys must be the server's, beside a certificate that is trusted.
        ///
        /// Where there are none, any key may. A second one is that which the server will change to.
        package var pins: [PublicKeyPin] = []
        package var clientCertificate: ClientCertificate?
        package var proxy = Proxy.ofEnvironment
        /// Whether `http` URLs of this machine are taken, which never go through a proxy.
        package var allowsPlainLoopback = false
        /// From the name of the server to the end of the TLS handshake.
        package var connectionLimit = Duration.seconds(10)
        /// From beginning to end, however much or little arrives meanwhile.
        package var requestLimit = Duration.seconds(30)
        /// In bytes, the header not counted.
        package var longestResponse = 1 << 20

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
        /// As `https_proxy`, `all_proxy` and `no_proxy` say.
        case ofEnvironment
        case none
        /// This one for every server.
        case url(String)
    }
}
