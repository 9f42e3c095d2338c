import Foundation
import Testing

/// A change of a valid request; its description is the first cell of its row.
struct EdgeCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    /// The device's signature covers content type and body.
    let contentType: String
    let body: String?
    let change: @Sendable (inout RawRequest) -> Void

    init(
        _ description: String,
        contentType: String = "application/json",
        body: String? = nil,
        _ change: @escaping @Sendable (inout RawRequest) -> Void = { _ in }
    ) {
        testDescription = description
        self.contentType = contentType
        self.body = body
        self.change = change
    }

    /// One more than the limit.
    private static let long = String(repeating: " ", count: 65_537)

    static let all = [
        Self("a body of more than 65,536 bytes") { $0.setBody(long) },
        Self("chunks of more than 65,536 bytes in total") {
            $0.remove("Content-Length")
            $0.add("Transfer-Encoding", "chunked")
            $0.body = "1\r\n \r\n10000\r\n\(long)\r\n0\r\n\r\n"
        },
        Self("HTTP/1.0") { $0.version = "HTTP/1.0" },
        Self("no `Host` field") { $0.remove("Host") },
        Self("two `Host` fields") { $0.add("Host", "b") },
        Self("`Content-Length` and `Transfer-Encoding`") {
            $0.add("Transfer-Encoding", "chunked")
        },
        Self("a transfer coding other than `chunked`") {
            $0.remove("Content-Length")
            $0.add("Transfer-Encoding", "gzip, chunked")
        },
        Self("an unknown method") { $0.method = "BREW" },
        Self("a method that the path does not have") { $0.method = "PATCH" },
        Self("a target in absolute form") { $0.target = "http://a\($0.target)" },
        Self("a request line of more than 8,192 bytes") {
            $0.target += "?" + String(repeating: "a", count: 8192)
        },
        Self("a request head of more than 8,192 bytes") {
            $0.add("A", String(repeating: "a", count: 8192))
        },
        Self("more than 64 header fields") { request in
            for _ in 0...64 { request.add("A", "b") }
        },
        Self("no body, although the method needs one", body: "") {
            $0.remove("Content-Length")
        },
        Self("`Expect: 100-continue`") { $0.add("Expect", "100-continue") },
        Self("`Expect: 100-continue` before a body that is too long") {
            $0.add("Expect", "100-continue")
            $0.setBody(long)
        },
        Self("another value of `Expect`") { $0.add("Expect", "200-ok") },
        Self("no `Content-Type` field") { $0.remove("Content-Type") },
        Self("a `Content-Type` other than `application/json`", contentType: "text/plain"),
        Self(
            "`Content-Type: application/json; charset=utf-8`",
            contentType: "application/json; charset=utf-8"
        ),
    ]
}

/// A row of the table.
struct EdgeCaseRow {
    let request: String
    let device: String
    let bank: String
    let isOpen: Bool

    static func all() throws -> [EdgeCaseRow] {
        let path = URL(filePath: #filePath).appending(path: "../../../docs/protocol/transport.md")
        let page = try String(contentsOf: path.standardized, encoding: .utf8)
        let heading = try #require(page.range(of: "\n## Edge cases\n"))
        return page[heading.upperBound...]
            .matches(of: /(?m)^\| (.+) \| (.+) \| (.+) \| (open|closed) \|$/)
            .map {
                EdgeCaseRow(
                    request: String($0.1),
                    device: String($0.2),
                    bank: String($0.3),
                    isOpen: $0.4 == "open"
                )
            }
    }
}
