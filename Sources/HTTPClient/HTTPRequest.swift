/// A request, sent exactly as given, plus the fields that framing needs.
///
/// `HTTPClient.send` rejects values that would change the framing, such as a line break in a
/// header.
package struct HTTPRequest: Sendable {
    package enum Method: Sendable {
        case get
        case post([UInt8])
        case put([UInt8])
        case delete
    }

    package let method: Method
    /// In printable ASCII, without a fragment; path and query are sent unchanged.
    package let url: String
    /// Sent in this order; a name may be repeated.
    package let headers: [HTTPHeaderLine]
    /// Whether a status from 200 to 299 is the result, even if its body does not arrive.
    package let ignoresBodyOfSuccess: Bool

    package init(
        _ method: Method,
        _ url: String,
        headers: [HTTPHeaderLine] = [],
        ignoringBodyOfSuccess ignoresBodyOfSuccess: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.ignoresBodyOfSuccess = ignoresBodyOfSuccess
    }
}

/// A server's response, whatever its status.
package struct HTTPResponse: Equatable, Sendable {
    package let status: Int
    /// In the order of arrival, with repetitions; folded lines are joined.
    package let headers: [HTTPHeaderLine]
    /// Without chunk framing, and never decompressed.
    package let body: [UInt8]

    package init(status: Int, headers: [HTTPHeaderLine], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// One header line, without white space around its value.
package struct HTTPHeaderLine: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
