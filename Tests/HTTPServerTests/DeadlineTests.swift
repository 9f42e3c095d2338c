import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite struct `Timeouts for clients` {
    private func deadlines(_ change: (inout Deadlines) -> Void) -> Deadlines {
        var deadlines = Deadlines()
        change(&deadlines)
        return deadlines
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\n", "A"), ("G", ""),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n", "a"),
        ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", "1\r\na\r\n"),
    ])
    func `end a request that never becomes complete`(
        _ start: String,
        _ drop: String
    ) async throws {
        // Longer than a busy machine keeps the client from sending the next drop.
        let short = deadlines { ($0.head, $0.body) = (.seconds(1), .seconds(1)) }
        var wide = Limits()
        (wide.headBytes, wide.bodyBytes) = (1_000_000_000, 1_000_000_000)
        try await withServer(limits: wide, deadlines: short) { _, port in
            let client = try RawClient(port)
            client.send(start)
            try await waitUntil {
                client.send(drop)
                return client.hasInput
            }
            #expect(try client.response().status == 408)
        }
    }

    @Test func `close silent connections without a response`() async throws {
        try await withServer(deadlines: deadlines { $0.head = .milliseconds(50) }) { _, port in
            let newcomer = try RawClient(port)
            #expect(try newcomer.remainingText() == "")
        }
    }

    @Test func `close idle connections without a response`() async throws {
        try await withServer(deadlines: deadlines { $0.idle = .milliseconds(50) }) { _, port in
            let client = try RawClient(port)
            #expect(try client.exchange(get()).status == 200)
            #expect(try client.remainingText() == "")
        }
    }

    /// A load balancer that keeps a connection longer sends a POST when the server closes it.
    @Test func `keep idle connections as long as the page about load balancers states`() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../docs/operate/several-nodes.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let row = /timeout of idle connections to the nodes \| less than (\d+) seconds/
        let stated = try #require(text.firstMatch(of: row)?.1)
        #expect(Deadlines().idle == .seconds(try #require(Int(stated))))
    }

    @Test func `begin again with each request`() async throws {
        let short = deadlines { ($0.head, $0.body) = (.seconds(2), .seconds(2)) }
        let slow: Server.Handler = { request in
            try? await Task.sleep(for: .milliseconds(300))
            return await echo(request)
        }
        try await withServer(deadlines: short, handler: slow) { _, port in
            let client = try RawClient(port)
            for _ in 0..<8 { #expect(try client.exchange(post("abc")).status == 200) }
        }
    }

    @Test func `do not include the time of the handler`() async throws {
        let short = deadlines { ($0.head, $0.body) = (.seconds(1), .seconds(1)) }
        let slow: Server.Handler = { request in
            try? await Task.sleep(for: .milliseconds(1500))
            return await echo(request)
        }
        try await withServer(deadlines: short, handler: slow) { _, port in
            let client = try RawClient(port)
            #expect(try client.exchange(post("abc")).status == 200)
        }
    }

    @Test func `close on a client that does not read its response`() async throws {
        let ended = Tally()
        let handler: Server.Handler = { _ in
            Response(
                status: 200,
                body: .stream { writer throws(Response.Cut) in
                    do throws(Response.Cut) {
                        while true {
                            try await writer.write([UInt8](repeating: 0, count: 65_536))
                        }
                    } catch {
                        await ended.add()
                    }
                }
            )
        }
        let short = deadlines { $0.write = .milliseconds(100) }
        try await withServer(deadlines: short, handler: handler) { _, port in
            let client = try RawClient(port, receiveBuffer: 4096)
            client.send(get())
            _ = try client.take(upTo: "\r\n\r\n")
            await ended.wait()
        }
    }
}
