package import ServerOperation
package import Verification

/// The log line and metrics of one request.
///
/// Nothing in it comes from the request: the route is one of the table, the outcome one of our
/// words, and the id is random. The client's address is that of the connection.
package struct RequestReport: Equatable, Sendable {
    package enum API: String, Sendable {
        case device, bank
        /// The files of the web device.
        case web
        /// Health checks and metrics.
        case operation
        /// Requests that the HTTP server rejected, at any address.
        case http
    }

    /// For requests that match no route.
    static let unknownRoute = "unknown"
    /// For streams that ended early: the client left, the store failed, or the server stopped.
    package static let cut = "cut"

    package let id: RequestID
    package let api: API
    /// The method and path of the route, without the values of its parameters.
    package let route: String
    /// The problem code, or `done`.
    package let outcome: String
    package let status: Int
    package let duration: Duration
    /// The token of a call of the bank, if it is valid.
    package var token: BankTokenName?
    /// The address of the client whose call of the bank API was refused.
    package var client: String?
}
