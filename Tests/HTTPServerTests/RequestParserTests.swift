import TestSupport
import Testing

@testable import HTTPServer

@Suite struct `The request parser` {
    @Test(arguments: RefusedRequest.all)
    func `rejects invalid requests`(_ request: RefusedRequest) {
        let events = events(of: [Array(request.text.utf8)])
        #expect(events.last == .refused(request.refusal))
        #expect(!events.dropLast().contains { if case .request = $0 { true } else { false } })
    }

    @Test func `stops after a refusal`() {
        #expect(events(of: [Array(("\n" + get()).utf8)]) == [.refused(.malformed)])
    }

    @Test(arguments: RefusedRequest.all.map(\.text) + [conversation])
    func `gives the same events however the input is split`(_ text: String) {
        let bytes = Array(text.utf8)
        let whole = events(of: [bytes])
        #expect(events(of: bytes.map { [$0] }) == whole)
        var generator = SeededGenerator(seed: bytes.count)
        for _ in 0..<20 {
            #expect(events(of: bytes.cut(by: &generator)) == whole)
        }
    }

    @Test func `keeps everything except the white space around values`() throws {
        let text =
            "PUT /a%20b?c=d&e HTTP/1.1\r\nhOST:a:80\r\nX-A: \t b  c\t \r\nx-a:\r\n"
            + "Content-Length: 3\r\n\r\nabc"
        let request = try requests(of: text)[0]
        #expect(request.line.method == "PUT")
        #expect(request.line.target == "/a%20b?c=d&e")
        let fields = [
            Field("hOST", "a:80"), Field("X-A", "b  c"), Field("x-a", ""),
            Field("Content-Length", "3"),
        ]
        #expect(request.fields == fields)
        #expect(request.body == Array("abc".utf8))
    }

    @Test(arguments: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])
    func `accepts a method`(_ method: String) throws {
        #expect(try requests(of: "\(method) / HTTP/1.1\r\nHost: a\r\n\r\n").count == 1)
    }

    @Test(arguments: [
        ("Transfer-Encoding: chunked", "3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n"),
        ("transfer-encoding: CHUNKED", "d\r\nabc0123456789\r\n0\r\n\r\n"),
        ("Content-Length: 13", "abc0123456789"),
    ])
    func `reads a body`(_ field: String, _ body: String) throws {
        let text = "POST / HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n\(body)"
        #expect(try requests(of: text).map(\.body) == [Array("abc0123456789".utf8)])
    }

    @Test(arguments: [
        ("", false), ("Connection: close\r\n", true), ("Connection: CLOSE\r\n", true),
        ("Connection: a, close , b\r\n", true), ("Connection: a\r\nConnection: close\r\n", true),
        ("Connection: keep-alive\r\n", false), ("Connection: closed\r\n", false),
    ])
    func `detects whether the connection ends`(_ fields: String, _ closes: Bool) throws {
        #expect(try requests(of: get("/", fields)).map(\.closesConnection) == [closes])
    }

    @Test(arguments: [
        ("Content-Length: 1\r\nExpect: 100-continue\r\n\r\na", true),
        ("Content-Length: 1\r\nExpect: 100-Continue\r\n\r\na", true),
        ("Content-Length: 0\r\nExpect: 100-continue\r\n\r\n", false),
        ("Expect: 100-continue\r\n\r\n", false),
        ("Content-Length: 1\r\n\r\na", false),
    ])
    func `detects clients that wait for 100 Continue`(_ fields: String, _ waits: Bool) {
        let events = events(of: [Array("POST / HTTP/1.1\r\nHost: a\r\n\(fields)".utf8)])
        #expect(events.contains(.continueExpected) == waits)
        #expect(events.count == (waits ? 2 : 1))
    }

    @Test func `accepts heads, fields and bodies of the maximum size`() throws {
        let start = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65536\r\n"
        let filled = String(repeating: "A:\r\n", count: 61)
        let padding = 8192 - start.utf8.count - filled.utf8.count - "A:\r\n\r\n".utf8.count
        let head = start + filled + "A:" + String(repeating: "a", count: padding) + "\r\n\r\n"
        #expect(head.utf8.count == 8192)
        let body = String(repeating: "a", count: 65_536)
        #expect(try requests(of: head + body).map(\.body.count) == [65_536])
    }

    @Test func `reports the part that it expects`() {
        var parser = RequestParser(limits: Limits())
        for (text, awaited) in [
            ("", RequestParser.Part.nothing), ("P", .head), ("OST / HTTP/1.1\r\n", .head),
            ("Host: a\r\nContent-Length: 2\r\n\r\n", .body), ("a", .body),
        ] {
            parser.append(Array(text.utf8)[...])
            #expect(parser.next() == .needsMore)
            #expect(parser.awaited == awaited, "\(text)")
        }
        parser.append(Array("bP".utf8)[...])
        guard case .request = parser.next() else {
            Issue.record("no request")
            return
        }
        #expect(parser.awaited == .head)
    }

    private func events(of pieces: [[UInt8]]) -> [RequestParser.Event] {
        var parser = RequestParser(limits: Limits())
        var events: [RequestParser.Event] = []
        for piece in pieces {
            parser.append(piece[...])
            while true {
                let event = parser.next()
                if event == .needsMore { break }
                events.append(event)
            }
        }
        return events
    }

    private func requests(of text: String) throws -> [ParsedRequest] {
        try events(of: [Array(text.utf8)]).map {
            guard case .request(let request) = $0 else { throw Refused() }
            return request
        }
    }

    private struct Refused: Error {}
}

/// One after the other over one connection.
private let conversation =
    get("/1") + post("abc", to: "/2")
    + "POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
    + "3\r\nabc\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n" + get("/4", "Connection: close\r\n")
    + get("/5")

extension [UInt8] {
    fileprivate func cut(by generator: inout SeededGenerator) -> [[UInt8]] {
        var (pieces, unsplit) = ([[UInt8]](), self[...])
        while !unsplit.isEmpty {
            let piece = unsplit.prefix(Int.random(in: 1...40, using: &generator))
            pieces.append(Array(piece))
            unsplit = unsplit.dropFirst(piece.count)
        }
        return pieces
    }
}
