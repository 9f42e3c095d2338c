package import HTTPServer
import Storage

/// A response, with the words for the log and the metrics.
package struct RoutedResponse: Sendable {
    package let response: Response
    /// One of a fixed set, such as `POST /3ds/authentication`.
    package let route: String
    /// One of a fixed set, such as a status or an error code of the protocol.
    package let outcome: String

    init(_ response: Response, by route: String, _ outcome: String) {
        self.response = response
        self.route = route
        self.outcome = outcome
    }

    /// A path that no route has.
    static let unknownPath = RoutedResponse(Response(status: 404), by: "unknown", "notFound")

    /// The response of the server itself, for example to a request whose path it does not know.
    package static func refused(_ refusal: RequestRefusal) -> RoutedResponse {
        RoutedResponse(Response(status: refusal.status), by: "unknown", refusal.rawValue)
    }

    static func wrongMethod(_ route: String, allowed: String) -> RoutedResponse {
        let field = Field("allow", allowed)
        return RoutedResponse(Response(status: 405, fields: [field]), by: route, "methodNotAllowed")
    }
}

extension Response {
    static func json(_ body: [UInt8], status: Int = 200) -> Response {
        Response(
            status: status,
            fields: [
                Field("content-type", "application/json; charset=utf-8"),
                Field("cache-control", "no-store"),
            ],
            body: .bytes(body)
        )
    }
}

extension Request {
    /// The target without its query.
    var path: Substring { target.prefix { $0 != "?" } }

    var query: Substring { target.dropFirst(path.utf8.count).dropFirst() }
}
