import CCurl

/// Header lines in libcurl's form.
final class HeaderList {
    private(set) var first: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [HTTPHeaderLine]) throws(HTTPFailure) {
        for line in lines {
            // A name with a colon and no value would remove one of libcurl's own lines.
            try append(line.value.isEmpty ? "\(line.name);" : "\(line.name): \(line.value)")
        }
        for name in Self.namesOfCurl where !lines.contains(where: { $0.isNamed(name) }) {
            try append("\(name):")
        }
    }

    deinit {
        curl_slist_free_all(first)
    }

    /// The fields that libcurl would add.
    private static let namesOfCurl = ["accept", "content-type", "expect"]

    private func append(_ line: String) throws(HTTPFailure) {
        first = try Curl.check(curl_slist_append(first, line), "curl_slist_append")
    }
}
