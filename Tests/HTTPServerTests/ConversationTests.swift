import HTTPServer
import TestSupport
import Testing

@Suite struct `A connection` {
    @Test func `carries several requests`() async throws {
        try await withServer { _, port in
            let client = try RawClient(port)
            #expect(try client.exchange(get("/1")).body == "GET /1 ")
            #expect(try client.exchange(post("abc", to: "/2")).body == "POST /2 abc")
            #expect(try client.exchange(get("/3")).body == "GET /3 ")
        }
    }

    @Test func `responds to pipelined requests in order`() async throws {
        let slow: Server.Handler = { request in
            if request.target.hasSuffix("0") { await Task.yield() }
            return await echo(request)
        }
        try await withServer(handler: slow) { _, port in
            let client = try RawClient(port)
            client.send((0..<500).map { post("body", to: "/\($0)") }.joined())
            for number in 0..<500 {
                #expect(try client.response().body == "POST /\(number) body")
            }
        }
    }

    @Test func `closes after the response if the client requests it`() async throws {
        try await withServer { _, port in
            let client = try RawClient(port)
            let response = try client.exchange(get("/", "Connection: close\r\n") + get("/unread"))
            #expect(response.fields["connection"] == "close")
            #expect(try client.isAtEnd())
        }
    }

    @Test func `adds only a date and a length to a response`() async throws {
        let handler: Server.Handler = { _ in
            Response(status: 201, fields: [Field("X-A", "b")], body: .bytes([0x61]))
        }
        try await withServer(handler: handler) { _, port in
            let response = try RawClient(port).exchange(get())
            #expect(response.status == 201)
            #expect(Set(response.fields.keys) == ["date", "X-A", "content-length"])
            let date = try #require(response.fields["date"])
            #expect(date.wholeMatch(of: /\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/) != nil)
        }
    }

    @Test func `gives HEAD the length of the body`() async throws {
        try await withServer { _, port in
            let client = try RawClient(port)
            client.send("HEAD /1 HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.response(hasBody: false).fields["content-length"] == "8")
            #expect(try client.exchange(get("/2")).body == "GET /2 ")
        }
    }

    @Test(arguments: [204, 304])
    func `sends neither body nor length for a status without a body`(_ status: Int) async throws {
        let handler: Server.Handler = { _ in Response(status: status, body: .bytes([0x61])) }
        try await withServer(handler: handler) { _, port in
            let client = try RawClient(port)
            for _ in 0..<2 {
                let response = try client.exchange(get())
                #expect(response.status == status)
                #expect(Set(response.fields.keys) == ["date"])
            }
        }
    }

    @Test func `sends 100 Continue to a client that waits for it`() async throws {
        try await withServer { _, port in
            let client = try RawClient(port)
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n")
            client.send("Expect: 100-continue\r\n\r\n")
            #expect(try client.take(upTo: "\r\n\r\n") == "HTTP/1.1 100 \r\n\r\n")
            #expect(try client.exchange("abc").body == "POST / abc")
        }
    }

    @Test func `passes the client's address to the handler`() async throws {
        let handler: Server.Handler = { request in
            let text = "\(request.peer.address) \(request.peer.isSecured)"
            return Response(status: 200, body: .bytes(Array(text.utf8)))
        }
        try await withServer(handler: handler) { _, port in
            let newcomer = try RawClient(port, from: "127.0.0.5")
            #expect(try newcomer.exchange(get()).body == "127.0.0.5 false")
        }
    }

    @Test(arguments: RefusedRequest.all)
    func `rejects an invalid request and closes`(_ request: RefusedRequest) async throws {
        try await withServer { _, port in
            let client = try RawClient(port)
            client.send(request.text)
            let response = try client.response()
            #expect(response.status == request.refusal.status)
            #expect(response.fields["connection"] == "close")
            #expect(try client.isAtEnd())
        }
    }

    @Test func `can send custom responses to invalid requests`() async throws {
        let explain: Server.Explanation = { refusal in
            Response(
                status: refusal.status,
                fields: [Field("content-type", "text/plain")],
                body: .bytes(Array("\(refusal)".utf8))
            )
        }
        try await withServer(explaining: explain) { _, port in
            let response = try RawClient(port).exchange("GET / HTTP/1.0\r\n\r\n")
            #expect(response.status == 505)
            #expect(response.body == "versionNotSupported")
        }
    }

    @Test(arguments: [
        Response(status: 200, fields: [Field("a", "b\r\nSet-Cookie: c")]),
        Response(status: 200, fields: [Field("a: b\r\nc", "d")]),
        Response(status: 200, fields: [Field("Content-Length", "7")]),
        Response(status: 200, fields: [Field("transfer-encoding", "chunked")]),
        Response(status: 99), Response(status: 1000),
    ])
    func `sends 500 instead of an invalid response`(_ response: Response) async throws {
        try await withServer(handler: { _ in response }) { _, port in
            let client = try RawClient(port)
            #expect(try client.exchange(get()).status == 500)
            #expect(try client.isAtEnd())
        }
    }
}
