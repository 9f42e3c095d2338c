/// The network settings of an app.
///
/// TLS is always 1.2 or later with forward secrecy.
public struct NetworkSettings: Sendable {
    public enum Proxy: Sendable {
        /// From the environment variables `https_proxy`, `all_proxy` and `no_proxy`.
        case ofEnvironment
        case none
        /// One proxy for all verifiers.
        case url(String)
    }

    /// The PEM file of the trusted CA certificates; nil for those of the system.
    public var authorities: String?
    public var proxy = Proxy.ofEnvironment
    /// The timeout from the DNS lookup to the end of the TLS handshake.
    public var connectionTimeout = Duration.seconds(10)
    /// The timeout of a whole request.
    ///
    /// A request whose response is lost is sent once more, and all of it again after a corrected clock or
    /// counter. So an operation whose server does not respond can take twice this time, or longer.
    public var requestTimeout = Duration.seconds(30)

    public init() {}
}
