import CCurl

/// Lines of a header as libcurl takes them.
final class HeaderList {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [HTTPHeaderLine]) throws(HTTPFailure) {
        for line in lines {
            // A name with a colon and nothing behind it is how a line of libcurl's own is taken out.
            try append(line.value.isEmpty ? "\(line.name);" : "\(line.name): \(line.value)")
        }
        for name in Self.namesOfCurl where !lines.contains(where: { $0.isNamed(name) }) {
            try append("\(name):")
        }
    }

    deinit {
        curl_slist_free_all(first)
    }

    /// What libcurl would add.
    private static let namesOfCurl = ["accept", "content-type", "expect"]

    private func append(_ line: String) throws(HTTPFailure) {
        first = try Curl.check(curl_slist_append(first, line), "curl_slist_append")
    }
}
