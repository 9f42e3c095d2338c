/// How an app reaches the verifiers: whom it takes for them, and how long it waits.
///
/// TLS is 1.2 or later with forward secrecy, whatever is set here.
public struct NetworkSettings: Sendable {
    public enum Proxy: Sendable {
        /// As `https_proxy`, `all_proxy` and `no_proxy` say.
        case ofEnvironment
        case none
        /// This one for every verifier.
        case url(String)
    }

    /// The PEM file of the only authorities to trust; nil for those that the system trusts.
    public var authorities: String?
    public var proxy = Proxy.ofEnvironment
    /// From the server's name to the end of the TLS handshake.
    public var connectionLimit = Duration.seconds(10)
    /// From beginning to end, however much or little arrives meanwhile.
    public var requestLimit = Duration.seconds(30)

    public init() {}
}
