import Testing

@testable import HTTPServer

/// Bytes that are not a valid request, and that other servers may read as two.
struct RefusedRequest: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let refusal: RequestRefusal

    init(_ description: String, _ text: String, _ refusal: RequestRefusal = .malformed) {
        testDescription = description
        self.text = text
        self.refusal = refusal
    }

    /// With these fields after the host, and this rest.
    private init(
        _ description: String,
        fields: String,
        then body: String = "",
        _ refusal: RequestRefusal = .malformed
    ) {
        self.init(
            description,
            "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)",
            refusal
        )
    }

    /// With a chunked body.
    private init(_ description: String, chunks: String, _ refusal: RequestRefusal = .malformed) {
        self.init(description, fields: "Transfer-Encoding: chunked", then: chunks, refusal)
    }

    static let all = lines + hosts + lengths + codings + chunked + fields + limits
}

extension RefusedRequest {
    private static let lines = [
        Self("an empty line first", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a line feed alone", "GET / HTTP/1.1\nHost: a\n\n"),
        Self("a line feed alone after a field", "GET / HTTP/1.1\r\nHost: a\n\r\n"),
        Self("a carriage return alone", "GET / HTTP/1.1\rHost: a\r\r\n"),
        Self("two carriage returns", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n"),
        Self("HTTP/0.9", "GET /\r\n"),
        Self("HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\n\r\n", .versionNotSupported),
        Self("HTTP/1.2", "GET / HTTP/1.2\r\nHost: a\r\n\r\n", .versionNotSupported),
        Self("HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .versionNotSupported),
        Self("a version of more digits", "GET / HTTP/1.10\r\nHost: a\r\n\r\n"),
        Self("a version in lower case", "GET / http/1.1\r\nHost: a\r\n\r\n"),
        Self("a version of something else", "GET / ICAP/1.1\r\nHost: a\r\n\r\n"),
        Self("no method", " / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a method that is not a token", "G(T / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a method in lower case", "get / HTTP/1.1\r\nHost: a\r\n\r\n", .notImplemented),
        Self("an unknown method", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n", .notImplemented),
        Self("TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", .notImplemented),
        Self("CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", .notImplemented),
        Self("a target in absolute form", "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a target in authority form", "GET a:80 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a target in asterisk form", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a fragment", "GET /#a HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a backslash", "GET /\\a HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("no target", "GET  HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a space in the target", "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("two spaces", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a tab", "GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a space at the end", "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
        Self("NUL in the target", "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("a letter beyond ASCII in the target", "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n"),
        Self("TLS", "\u{16}\u{03}\u{01}\r\n"),
    ]

    private static let hosts = [
        Self("no host", "GET / HTTP/1.1\r\n\r\n"),
        Self("two hosts", fields: "Host: b"),
        Self("one host twice", fields: "host: a"),
        Self("an empty host", "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
        Self("a host with a path", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Self("a host with a user", "GET / HTTP/1.1\r\nHost: b@a\r\n\r\n"),
        Self("hosts in a list", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
    ]

    private static let lengths = [
        Self("two lengths", fields: "Content-Length: 1\r\nContent-Length: 2", then: "ab"),
        Self("one length twice", fields: "Content-Length: 1\r\nContent-Length: 1", then: "a"),
        Self("lengths in a list", fields: "Content-Length: 1, 1", then: "a"),
        Self("an empty length", fields: "Content-Length:"),
        Self("a length with a sign", fields: "Content-Length: +1", then: "a"),
        Self("a negative length", fields: "Content-Length: -1"),
        Self("a length with a zero before it", fields: "Content-Length: 01", then: "a"),
        Self("a hexadecimal length", fields: "Content-Length: 0x1", then: "a"),
        Self("a length with a space in it", fields: "Content-Length: 1 1", then: "a"),
        Self("a length in other digits", fields: "Content-Length: ١", then: "a"),
        Self("a length of 65 bits", fields: "Content-Length: 18446744073709551617", .bodyTooLarge),
        Self("a length of 63 bits", fields: "Content-Length: 9223372036854775807", .bodyTooLarge),
        Self("a length over the limit", fields: "Content-Length: 65537", .bodyTooLarge),
    ]

    private static let codings = [
        Self(
            "length and chunks",
            fields: "Content-Length: 1\r\nTransfer-Encoding: chunked",
            then: "0\r\n\r\n"
        ),
        Self(
            "chunks and length",
            fields: "Transfer-Encoding: chunked\r\nContent-Length: 5",
            then: "0\r\n\r\n"
        ),
        Self(
            "a length of nothing and chunks",
            fields: "Content-Length: 0\r\nTransfer-Encoding: chunked",
            then: "0\r\n\r\n"
        ),
        Self("chunked twice", fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        Self(
            "chunked and something in a field of its own",
            fields: "Transfer-Encoding: chunked\r\nTransfer-encoding: x"
        ),
        Self("chunked in a list", fields: "Transfer-Encoding: chunked, chunked", .notImplemented),
        Self("chunked not last", fields: "Transfer-Encoding: chunked, identity", .notImplemented),
        Self("gzip and chunked", fields: "Transfer-Encoding: gzip, chunked", .notImplemented),
        Self("identity", fields: "Transfer-Encoding: identity", .notImplemented),
        Self("an empty coding", fields: "Transfer-Encoding:", .notImplemented),
        Self("chunked with a parameter", fields: "Transfer-Encoding: chunked;a=b", .notImplemented),
        Self("chunked in quotes", fields: "Transfer-Encoding: \"chunked\"", .notImplemented),
        Self("nearly chunked", fields: "Transfer-Encoding: xchunked", .notImplemented),
        Self("a space before the colon", fields: "Transfer-Encoding : chunked"),
        Self("a tab before the colon", fields: "Transfer-Encoding\t: chunked"),
        Self("a space before the name", fields: " Transfer-Encoding: chunked"),
        Self("a vertical tab before chunked", fields: "Transfer-Encoding: \u{0b}chunked"),
        Self("a form feed after chunked", fields: "Transfer-Encoding: chunked\u{0c}"),
        Self("NUL after chunked", fields: "Transfer-Encoding: chunked\0"),
        Self("a folded coding", fields: "Transfer-Encoding:\r\n chunked"),
        Self("a carriage return before chunked", fields: "Transfer-Encoding: \rchunked"),
        Self("a field behind a line feed", fields: "A: b\nTransfer-Encoding: chunked"),
        Self("a field behind a carriage return", fields: "A: b\rTransfer-Encoding: chunked"),
    ]

    private static let chunked = [
        Self("no chunk size", chunks: "\r\na\r\n0\r\n\r\n"),
        Self("a chunk size with 0x", chunks: "0x1\r\na\r\n0\r\n\r\n"),
        Self("a chunk size with a sign", chunks: "+1\r\na\r\n0\r\n\r\n"),
        Self("a chunk size with a zero before it", chunks: "01\r\na\r\n0\r\n\r\n"),
        Self("several zeros", chunks: "00\r\n\r\n"),
        Self("a chunk size after a space", chunks: " 1\r\na\r\n0\r\n\r\n"),
        Self("a chunk size before a space", chunks: "1 \r\na\r\n0\r\n\r\n"),
        Self("a chunk size that is none", chunks: "g\r\na\r\n0\r\n\r\n"),
        Self("a chunk extension", chunks: "1;a=b\r\na\r\n0\r\n\r\n"),
        Self("a chunk extension without a name", chunks: "1;\r\na\r\n0\r\n\r\n"),
        Self("an extension of the last chunk", chunks: "0;a\r\n\r\n"),
        Self("a line feed alone after a chunk size", chunks: "1\na\r\n0\r\n\r\n"),
        Self("a line feed alone after a chunk", chunks: "1\r\na\n0\r\n\r\n"),
        Self("a line feed alone at the end", chunks: "0\r\n\n"),
        Self("a chunk longer than its size", chunks: "1\r\nab\r\n0\r\n\r\n"),
        Self("a chunk shorter than its size", chunks: "3\r\na\r\n0\r\n\r\n"),
        Self("a chunk of 64 bits", chunks: "ffffffffffffffff\r\n", .bodyTooLarge),
        Self("a chunk of 68 bits", chunks: "10000000000000001\r\n"),
        Self("a chunk of 63 bits", chunks: "7fffffffffffffff\r\n", .bodyTooLarge),
        Self("a chunk over the limit", chunks: "10001\r\n", .bodyTooLarge),
        Self("chunks over the limit", chunks: "1\r\na\r\n10000\r\n", .bodyTooLarge),
        Self("a trailer", chunks: "0\r\nA: b\r\n\r\n"),
        Self("a trailer with a length", chunks: "0\r\nContent-Length: 5\r\n\r\n"),
    ]

    private static let fields = [
        Self("no colon", fields: "A"),
        Self("no name", fields: ": a"),
        Self("a name that is not a token", fields: "A B: c"),
        Self("a letter beyond ASCII in a name", fields: "Ä: b"),
        Self("a letter beyond ASCII in a value", fields: "A: ä"),
        Self("NUL in a value", fields: "A: b\0c"),
        Self("NUL in a name", fields: "A\0: b"),
        Self("DEL in a value", fields: "A: b\u{7f}"),
        Self("a carriage return in a value", fields: "A: b\rc"),
        Self("a folded value", fields: "A: b\r\n c"),
        Self("a field that begins with a tab", fields: "\tA: b"),
        Self("an expectation that is none", fields: "Expect: 200", .expectationUnknown),
    ]

    private static let limits = [
        Self(
            "a target over the limit",
            "GET /\(String(repeating: "a", count: 8192)) HTTP/1.1\r\nHost: a\r\n\r\n",
            .targetTooLong
        ),
        Self("a target without end", "GET /\(String(repeating: "a", count: 8192))", .targetTooLong),
        Self(
            "a field over the limit",
            fields: "A: \(String(repeating: "a", count: 8192))",
            .headTooLarge
        ),
        Self(
            "a field without end",
            "GET / HTTP/1.1\r\nHost: \(String(repeating: "a", count: 8192))",
            .headTooLarge
        ),
        Self(
            "fields over the limit",
            fields: Array(repeating: "A: \(String(repeating: "a", count: 508))", count: 16)
                .joined(separator: "\r\n"),
            .headTooLarge
        ),
        Self(
            "more fields than there may be",
            fields: Array(repeating: "A: b", count: 64).joined(separator: "\r\n"),
            .headTooLarge
        ),
    ]
}
