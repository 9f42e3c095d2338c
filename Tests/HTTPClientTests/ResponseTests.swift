import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A response` {
    private let server: TestServer
    private let client: HTTPClient

    init() throws {
        server = try TestServer()
        client = try .forTests { $0.maximumResponseByteCount = 1000 }
    }

    @Test func `keeps its header lines in order, with repetitions`() async throws {
        let response = try await client.send(
            server.play(
                "HTTP/1.1 200 OK\r\nB: 1\r\na:2 \r\nb:\t3\r\nEmpty:\r\nB: 1\r\nContent-Length: 0\r\n\r\n"
            )
        )
        let lines = response.headers.map { "\($0.name)=\($0.value)" }
        #expect(lines == ["B=1", "a=2", "b=3", "Empty=", "B=1", "Content-Length=0"])
    }

    @Test func `joins the parts of a folded line`() async throws {
        let response = try await client.send(
            server.play("HTTP/1.1 200 OK\r\nA: 1\r\n  2\r\n\t3\r\nContent-Length: 0\r\n\r\n")
        )
        #expect(
            response.headers == [
                HTTPHeaderLine("A", "1 2 3"), HTTPHeaderLine("Content-Length", "0"),
            ]
        )
    }

    @Test func `contains only the header of the final response`() async throws {
        let response = try await client.send(
            server.play(
                "HTTP/1.1 103 Early\r\nA: 1\r\n\r\nHTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n"
                    + "B: 2\r\n\r\n3;x=y\r\nabc\r\n0\r\nC: 3\r\n\r\n"
            )
        )
        #expect(response.status == 404)
        #expect(response.headers.map(\.name) == ["Transfer-Encoding", "B"])
        #expect(response.text == "abc")
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `with a redirect is not followed`(_ status: Int) async throws {
        let response = try await client.send(
            server.play(
                "HTTP/1.1 \(status) Moved\r\nLocation: \(server.url("/elsewhere"))\r\n"
                    + "Content-Length: 0\r\n\r\n"
            )
        )
        #expect(response.status == status)
        let connections = try await client.send(HTTPRequest(.get, server.url("/connections")))
        #expect(connections.text == "2")
        // The server would have reported a request in between first.
        #expect(try await server.waitForLine("request") == "request /play")
        #expect(try await server.waitForLine("request") == "request /connections")
    }

    /// One that is too long, and one that ends early.
    @Test(arguments: [
        "Content-Length: 2000\r\n\r\n" + String(repeating: "x", count: 2000),
        "Content-Length: 5\r\n\r\nx", "Transfer-Encoding: chunked\r\n\r\n5\r\nx",
    ])
    func `may lack the body of a success if nothing needs it`(_ rest: String) async throws {
        func response(_ status: Int, ignoringBody: Bool) async throws(HTTPFailure) -> Int {
            let played = server.play("HTTP/1.1 \(status) X\r\n\(rest)")
            let request = HTTPRequest(
                played.method,
                played.url,
                headers: played.headers,
                ignoringBodyOfSuccess: ignoringBody
            )
            return try await client.send(request).status
        }
        #expect(try await response(200, ignoringBody: true) == 200)
        for (status, ignores) in [(200, false), (500, true), (302, true)] {
            await #expect(throws: HTTPFailure.self) {
                try await response(status, ignoringBody: ignores)
            }
        }
    }

    @Test func `with status 401 is returned unchanged`() async throws {
        let response = try await client.send(
            server.play(
                "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=a\r\nContent-Length: 0\r\n\r\n"
            )
        )
        #expect(response.status == 401)
    }

    /// At the exact limit, delimited by length, by chunks, or by the connection's end.
    @Test(arguments: [(1000, true), (1001, false)])
    func `is accepted up to the size limit`(_ count: Int, _ isTaken: Bool) async throws {
        let body = String(repeating: "a", count: count)
        let responses = [
            "Content-Length: \(count)\r\n\r\n\(body)",
            "Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n\(body)\r\n0\r\n\r\n",
            "Connection: close\r\n\r\n\(body)",
        ]
        for response in responses {
            let request = server.play("HTTP/1.1 200 OK\r\n" + response)
            if isTaken {
                #expect(try await client.send(request).text == body)
            } else {
                await #expect(throws: HTTPFailure.responseTooLarge) {
                    try await client.send(request)
                }
            }
        }
    }

    /// The server repeats the text after the | until the client disconnects.
    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n|aaaaaaaa",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n|8\r\naaaaaaaa\r\n",
        "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n|aaaaaaaa",
        "HTTP/1.1 200 OK\r\n|A: aaaaaaaa\r\n",
        "|HTTP/1.1 103 Early\r\nA: aaaaaaaa\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n|A: aaaaaaaa\r\n",
    ])
    func `without an end is cut off`(_ response: String) async throws {
        await #expect(throws: HTTPFailure.responseTooLarge) {
            try await client.send(server.play(response))
        }
        try await server.waitForLine("ended")
    }

    @Test(arguments: ["gzip", "gzip, chunked", "chunked, gzip", "identity", ""])
    func `with a transfer encoding other than chunked is rejected`(_ encoding: String) async throws
    {
        await #expect(throws: HTTPFailure.malformedResponse) {
            try await client.send(
                server.play("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(encoding)\r\n\r\n0\r\n\r\n")
            )
        }
    }

    @Test func `with compression is not decompressed`() async throws {
        let response = try await client.send(
            server.play("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc")
        )
        #expect(response.text == "abc")
    }

    @Test(arguments: [
        "SSH-2.0\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\0c\r\n\r\n",
        "HTTP/1.1 200 OK\r\nA\r\n\r\n", "HTTP/1.1 200 OK\r\nA : b\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: b\r\n\r\n",
        "HTTP/1.1 200 OK\r\n folded\r\n\r\n",
        "HTTP/9 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
    ])
    func `that is not HTTP is rejected`(_ response: String) async throws {
        await #expect(throws: HTTPFailure.malformedResponse) {
            try await client.send(server.play(response))
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\nA: b\r\n", "HTTP/1.1 103 Early\r\n\r\n",
        "HTTP/1.1 101 Other\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nabc",
    ])
    func `that ends early is lost`(_ response: String) async throws {
        await #expect(throws: HTTPFailure.responseMissing) {
            try await client.send(server.play(response))
        }
    }

    /// libcurl reports the line as a lack of memory, also for a request that was sent.
    @Test func `with a line that libcurl cannot read is lost`() async throws {
        let line = "A: " + String(repeating: "a", count: 120_000)
        await #expect(throws: HTTPFailure.responseMissing) {
            try await client.send(server.play("HTTP/1.1 200 OK\r\n\(line)\r\n\r\n"))
        }
    }

    /// At any speed, even without a single byte.
    @Test(arguments: [
        ("", "hang"), ("HTTP/1.1 200 OK\r\nA: |a", "drip"), ("HTTP/1.1 200 OK\r\nA: a", "hang"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n|a", "drip"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\na", "hang"),
    ])
    func `that exceeds the time limit is lost`(
        _ response: String,
        _ ending: String
    ) async throws {
        let client = try HTTPClient.forTests { $0.requestTimeout = .seconds(3) }
        await #expect(throws: HTTPFailure.responseMissing) {
            try await client.send(server.play(response, then: ending))
        }
        try await server.waitForLine("ended")
    }

    @Test(arguments: [
        ("", "hang"), ("HTTP/1.1 200 OK\r\nA: |a", "drip"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\na", "hang"),
    ])
    func `that exceeds its own time limit is late`(
        _ response: String,
        _ ending: String
    ) async throws {
        let client = try HTTPClient.forTests { $0.responseTimeout = .seconds(3) }
        await #expect(throws: HTTPFailure.responseLate) {
            try await client.send(server.play(response, then: ending))
        }
        try await server.waitForLine("ended")
        // The limit is one of a response, and not of a connection.
        #expect(try await client.send(HTTPRequest(.get, server.url("/"))).status == 200)
    }

    @Test func `that ends early is lost also with a time limit of its own`() async throws {
        let client = try HTTPClient.forTests { $0.responseTimeout = .seconds(60) }
        await #expect(throws: HTTPFailure.responseMissing) {
            try await client.send(server.play(""))
        }
    }

    @Test func `has its whole time after a slow TLS handshake`() async throws {
        let slow = try TestServer(.server, ["--handshake-seconds", "4"])
        let client = try HTTPClient.forTests { $0.responseTimeout = .seconds(3) }
        #expect(try await client.send(HTTPRequest(.get, slow.url("/"))).status == 200)
        let late = try HTTPClient.forTests { $0.responseTimeout = .milliseconds(500) }
        let time = await ContinuousClock().measure {
            await #expect(throws: HTTPFailure.responseLate) {
                try await late.send(slow.play("", then: "hang"))
            }
        }
        #expect(time >= .milliseconds(4500))
    }
}
