import CCurl

extension HTTPRequest {
    enum Scheme: String {
        case https, http
    }

    /// The URL's scheme, if the client can send requests to the URL.
    func scheme(allowsPlainLoopback: Bool) throws(HTTPFailure) -> Scheme {
        guard isASCIIWithoutFragment, let parts = URLParts(url) else { throw .invalidRequest }
        switch parts.scheme {
        case "https": return .https
        case "http" where allowsPlainLoopback && Self.loopback.contains(parts.host): return .http
        default: throw .invalidRequest
        }
    }

    private static let loopback: Set = ["127.0.0.1", "[::1]", "localhost"]

    private var isASCIIWithoutFragment: Bool {
        url.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") }
    }

    func checkHeaders() throws(HTTPFailure) {
        guard headers.allSatisfy({ $0.isOneLine && !$0.isFraming }) else { throw .invalidRequest }
    }
}

extension HTTPHeaderLine {
    /// Field names are case-insensitive (RFC 9110, section 5.1).
    func isNamed(_ lowerCase: String) -> Bool {
        name.lowercased() == lowerCase
    }

    /// A token (RFC 9110, section 5.6.2), then printable ASCII without white space around it.
    fileprivate var isOneLine: Bool {
        !name.isEmpty && name.utf8.allSatisfy(\.isTokenCharacter)
            && value.utf8.allSatisfy { (0x20...0x7e).contains($0) || $0 == 0x09 }
            && value.utf8.first?.isWhiteSpace != true
            && value.utf8.last?.isWhiteSpace != true
    }

    /// Whether it is a framing or routing field, which only the client may set.
    fileprivate var isFraming: Bool {
        Self.framingNames.contains(name.lowercased())
    }

    private static let framingNames: Set = [
        "connection", "content-length", "expect", "host", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]
}

/// The server of a URL, with the default port if it has none.
struct URLOrigin: Equatable {
    private let scheme: String
    private let host: String
    private let port: String

    init?(_ url: String) {
        guard let parts = URLParts(url) else { return nil }
        // Hosts are case-insensitive (RFC 3986, section 3.2.2).
        (scheme, host, port) = (parts.scheme, parts.host.lowercased(), parts.port)
    }
}

/// Parts of a URL, from the same parser that routes the request.
private struct URLParts {
    let scheme: String
    let host: String
    let port: String

    init?(_ url: String) {
        let parser = curl_url()
        defer { curl_url_cleanup(parser) }
        guard
            curl_url_set(parser, CURLUPART_URL, url, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: parser),
            let host = Self.part(CURLUPART_HOST, of: parser),
            let port = Self.part(CURLUPART_PORT, of: parser, UInt32(CURLU_DEFAULT_PORT))
        else { return nil }
        (self.scheme, self.host, self.port) = (scheme, host, port)
    }

    private static func part(
        _ part: CURLUPart,
        of parser: OpaquePointer?,
        _ flags: UInt32 = 0
    ) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parser, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
