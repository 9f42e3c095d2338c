import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A request` {
    private let server: TestServer
    private let client: HTTPClient

    init() throws {
        server = try TestServer()
        client = try .forTests()
    }

    @Test func `is sent unchanged, plus a host field`() async throws {
        let headers = [
            ("X-One", "1"), ("accept", "a b"), ("X-one", "2"), ("Empty", ""), ("X-One", "3"),
        ]
        let request = HTTPRequest(
            .get,
            server.url("/a/../b/.//c%2f?q=%41;y=[z]&"),
            headers: headers.map { HTTPHeaderLine($0.0, $0.1) }
        )
        let echo = try await client.send(request).text
        let lines = [
            "GET /a/../b/.//c%2f?q=%41;y=[z]& HTTP/1.1", "Host: localhost:\(server.port)",
            "X-One: 1", "accept: a b", "X-one: 2", "Empty:", "X-One: 3", "", "",
        ]
        #expect(echo == lines.joined(separator: "\r\n"))
    }

    @Test(arguments: [0, 1, 70_000, 900_000])
    func `sends a body with its length and without a type`(_ count: Int) async throws {
        let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let echo = try await client.send(HTTPRequest(.post(body), server.url("/"))).body
        let head =
            "POST / HTTP/1.1\r\nHost: localhost:\(server.port)\r\nContent-Length: \(count)\r\n\r\n"
        #expect(Array(echo.prefix(head.utf8.count)) == Array(head.utf8))
        #expect(Array(echo.dropFirst(head.utf8.count)) == body)
    }

    @Test func `can be a PUT with a body and a DELETE without one`() async throws {
        let put = try await client.send(HTTPRequest(.put([0x61, 0x62]), server.url("/"))).text
        let host = "Host: localhost:\(server.port)\r\n"
        #expect(put == "PUT / HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\nab")
        let empty = try await client.send(HTTPRequest(.put([]), server.url("/"))).text
        #expect(empty == "PUT / HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n")
        let deletion = try await client.send(HTTPRequest(.delete, server.url("/"))).text
        #expect(deletion == "DELETE / HTTP/1.1\r\n\(host)\r\n")
    }

    @Test(arguments: [
        ("X", "a\r\nY: b"), ("X", "a\nb"), ("X", "a\rb"), ("X", "a\0b"), ("X", " a"), ("X", "a\t"),
        ("X", "ä"), ("X", "a\u{7f}"), ("X\r\nY", "b"), ("X Y", "b"), ("X:", "b"), ("X;", ""),
        ("", "b"),
        ("Ä", "b"), ("@", "b"),
    ])
    func `with a header that is not one line is rejected`(_ name: String, _ value: String) async {
        await expectRefusal("/", [HTTPHeaderLine(name, value)])
    }

    @Test(arguments: [
        "Host", "content-length", "Transfer-Encoding", "CONNECTION", "Expect", "Upgrade", "TE",
        "Trailer",
    ])
    func `with framing or routing fields is rejected`(_ name: String) async {
        await expectRefusal("/", [HTTPHeaderLine(name, "1")])
    }

    @Test(arguments: ["/\r\nX: y", "/ HTTP/1.1", "/a\0", "/\n", "/ä", "/a#b", "/\t", "/\u{7f}"])
    func `with a path that is not one word is rejected`(_ path: String) async {
        await expectRefusal(path, [])
    }

    private func expectRefusal(_ path: String, _ headers: [HTTPHeaderLine]) async {
        await #expect(throws: HTTPFailure.invalidRequest) {
            try await client.send(HTTPRequest(.get, server.url(path), headers: headers))
        }
    }
}

@Suite struct `A URL` {
    private let server: TestServer

    init() throws {
        server = try TestServer(nil)
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `with plain HTTP on this machine is requested if allowed`(
        _ host: String
    ) async throws {
        let request = HTTPRequest(.get, server.url("/", scheme: "http", host: host))
        // A proxy that does not exist: a request to it would fail.
        let client = try HTTPClient.forTests {
            $0.allowsPlainLoopback = true
            $0.proxy = .url("http://127.0.0.1:1")
        }
        #expect(try await client.send(request).status == 200)
    }

    @Test func `with plain HTTP is rejected unless allowed (SEC-37)`() async throws {
        let request = HTTPRequest(.get, server.url("/", scheme: "http"))
        let client = try HTTPClient.forTests()
        await #expect(throws: HTTPFailure.invalidRequest) { try await client.send(request) }
    }

    @Test(arguments: [
        "http://bank.example/", "http://127.0.0.2/", "http://127.0.0.1.bank.example/",
        "http://localhost@bank.example/", "http://localhost:80@bank.example/",
        #"http://localhost\@bank.example/"#, "http://0/", "http://[::]/", "http://localhost./",
        "ftp://localhost/", "file:///etc/passwd", "gopher://localhost/", "localhost/",
        "//localhost/",
        "https://user@localhost/", "https://user:word@localhost/", "https://", "https:///", "",
        "https://localhost:99999/", "https://local host/", " https://localhost/",
    ])
    func `with another scheme, or with plain HTTP elsewhere, is rejected (SEC-37)`(
        _ url: String
    ) async throws {
        let client = try HTTPClient.forTests { $0.allowsPlainLoopback = true }
        await #expect(throws: HTTPFailure.invalidRequest) {
            try await client.send(HTTPRequest(.get, url))
        }
    }
}
