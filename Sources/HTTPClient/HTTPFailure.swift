/// The reason why there is no response.
///
/// No case contains a byte of the request, its URL or the response.
package enum HTTPFailure: Error, Equatable, Sendable {
    /// The client cannot send this URL, header or scheme.
    case invalidRequest
    /// A file of certificates or of a key cannot be read or parsed.
    case unusableCertificateFile
    /// The connection failed; nothing was sent.
    case networkUnavailable(Obstacle)
    /// The server has no trusted certificate for its name, or none of the pinned keys; nothing was
    /// sent.
    case serverUntrusted
    /// The request was sent, at least in part, but no complete response arrived. The server may or
    /// may not have processed it.
    case responseMissing
    /// The request was sent, and `responseTimeout` was over before the complete response. The server
    /// may or may not have processed it.
    case responseLate
    /// The response is larger than the limit.
    case responseTooLarge
    /// The response is not HTTP.
    case malformedResponse
    /// The task was cancelled before or after the first byte of the request was sent.
    case cancelled(isSent: Bool)
    /// libcurl failed before anything was sent, usually because memory ran out.
    case library(operation: String, code: Int)

    /// The step at which the connection failed.
    package enum Obstacle: Equatable, Sendable {
        /// The name of the server or of the proxy has no address.
        case name
        /// The address refuses connections.
        case connection
        /// The proxy refused to connect.
        case proxy
        /// Server and client have no TLS version or cipher in common, the server requires a client
        /// certificate, or the network interrupted the handshake.
        case handshake
        case deadline
    }
}
