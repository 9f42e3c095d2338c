/// Why there is no response.
///
/// No case holds a byte of the request, of its URL or of what came back.
package enum HTTPFailure: Error, Equatable, Sendable {
    /// The URL, a header or the scheme is not one that this client sends.
    case invalidRequest
    /// A file of certificates or of a key cannot be read, or what it holds is something else.
    case unusableCertificateFile
    /// Nothing was sent.
    case networkUnavailable(Obstacle)
    /// The server has no certificate for its name that is trusted, or none of the pinned keys;
    /// nothing was sent.
    case serverUntrusted
    /// The request was sent, at least in part, and no whole response came back: nobody here knows
    /// whether the server has acted on it.
    case responseMissing
    /// It was not read to its end.
    case responseTooLarge
    /// What came back is not HTTP.
    case malformedResponse
    /// Before or after the request was sent.
    case cancelled
    /// libcurl refused, usually for want of memory.
    case library(operation: String, code: Int)

    /// What the connection could not get past.
    package enum Obstacle: Equatable, Sendable {
        /// The name of the server or of the proxy has no address.
        case name
        /// Nobody there accepts a connection.
        case connection
        /// The proxy refused to connect.
        case proxy
        /// Server and client found no version and no cipher of TLS in common, or the server wants a
        /// client certificate, or somebody in between ended the handshake.
        case handshake
        case deadline
    }
}
