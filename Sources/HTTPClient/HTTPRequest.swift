/// What is asked of a server: what goes over the network is exactly this and what framing needs.
///
/// `HTTPClient.send` refuses what would not be one request, such as a line break in a header.
package struct HTTPRequest: Sendable {
    package enum Method: Sendable {
        case get
        case post([UInt8])
        case put([UInt8])
        case delete
    }

    package let method: Method
    /// In printable ASCII, without a fragment; path and query go out as they are written here.
    package let url: String
    /// Sent in this order; a name may come again.
    package let headers: [HTTPHeaderLine]

    package init(_ method: Method, _ url: String, headers: [HTTPHeaderLine] = []) {
        self.method = method
        self.url = url
        self.headers = headers
    }
}

/// What a server answered, whatever its status says.
package struct HTTPResponse: Equatable, Sendable {
    package let status: Int
    /// In the order in which they came, each as often as it came; folded lines are one again.
    package let headers: [HTTPHeaderLine]
    /// Without the framing of chunks, and never decompressed.
    package let body: [UInt8]

    package init(status: Int, headers: [HTTPHeaderLine], body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// One line of a header, without the white space that HTTP allows around its value.
package struct HTTPHeaderLine: Equatable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
