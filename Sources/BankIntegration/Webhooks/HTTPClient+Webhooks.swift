package import HTTPClient

extension HTTPClient {
    /// The timeout of a delivery.
    private static let timeout = Duration.seconds(10)

    /// A client for messages to addresses in the configuration.
    ///
    /// `takes` then returns whether an address is https://, or http:// of this machine.
    package static func forDeliveries(
        trusting authorities: String?
    ) throws(HTTPFailure) -> HTTPClient {
        var settings = Configuration()
        settings.authorities = authorities
        settings.allowsPlainLoopback = true
        settings.requestTimeout = timeout
        settings.maximumResponseByteCount = 64 << 10
        return try HTTPClient(settings)
    }
}
