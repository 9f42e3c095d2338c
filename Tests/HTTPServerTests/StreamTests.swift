import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite struct `A streamed response` {
    @Test func `sends each chunk at once, and keeps the connection`() async throws {
        let (next, tally) = (Tally(), Tally())
        let handler: Server.Handler = { _ in
            Response(
                status: 200,
                body: .stream { writer throws(Response.Cut) in
                    try await writer.write(Array("one".utf8))
                    await next.wait()
                    try await writer.write([])
                    try await writer.write(Array("two".utf8))
                    await tally.add()
                }
            )
        }
        try await withServer(handler: handler) { _, port in
            let client = try RawClient(port)
            client.send(get())
            let head = try client.take(upTo: "\r\n\r\n")
            #expect(head.contains("transfer-encoding: chunked\r\n"))
            #expect(!head.contains("content-length"))
            #expect(try client.take(upTo: "one\r\n") == "3\r\none\r\n")
            await next.add()
            #expect(try client.take(upTo: "0\r\n\r\n") == "3\r\ntwo\r\n0\r\n\r\n")
            client.send(get())
            #expect(try client.take(upTo: "0\r\n\r\n").contains("two"))
            #expect(await tally.count == 2)
        }
    }

    @Test func `is not started for HEAD`() async throws {
        let handler: Server.Handler = { _ in
            Response(status: 200, body: .stream { _ in Issue.record("made") })
        }
        try await withServer(handler: handler) { _, port in
            let client = try RawClient(port)
            client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.response(hasBody: false).fields["transfer-encoding"] == "chunked")
            client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.response(hasBody: false).status == 200)
        }
    }

    @Test func `has no last chunk if it is cut off`() async throws {
        let handler: Server.Handler = { _ in
            Response(
                status: 200,
                body: .stream { writer throws(Response.Cut) in
                    try await writer.write(Array("one".utf8))
                    throw Response.Cut()
                }
            )
        }
        try await withServer(handler: handler) { _, port in
            let client = try RawClient(port)
            client.send(get())
            #expect(try client.remainingText().hasSuffix("3\r\none\r\n"))
        }
    }

    @Test func `waits while the client does not read`() async throws {
        let (tally, gone) = (Tally(), Tally())
        let handler: Server.Handler = { _ in
            Response(
                status: 200,
                body: .stream { writer throws(Response.Cut) in
                    let piece = [UInt8](repeating: 0x61, count: 1 << 20)
                    do throws(Response.Cut) {
                        for _ in 0..<1000 {
                            try await writer.write(piece)
                            await tally.add()
                        }
                    } catch {
                        await gone.add()
                        throw error
                    }
                }
            )
        }
        try await withServer(handler: handler) { _, port in
            let client = try RawClient(port, receiveBuffer: 4096)
            client.send(get())
            _ = try client.take(upTo: "\r\n\r\n")
            client.reset()
            // Otherwise it would write the whole gigabyte.
            await gone.wait()
            #expect(await tally.count < 100)
        }
    }

    @Test func `ends at its first write if the client left before the response`() async throws {
        let (begun, gone) = (Tally(), Tally())
        let handler: Server.Handler = { _ in
            await begun.add()
            // A disconnect ends it.
            try? await Task.sleep(for: .seconds(86_400))
            return Response(
                status: 200,
                body: .stream { writer throws(Response.Cut) in
                    do throws(Response.Cut) {
                        try await writer.write([0x61])
                    } catch {
                        await gone.add()
                        throw error
                    }
                }
            )
        }
        try await withServer(handler: handler) { _, port in
            let client = try RawClient(port)
            client.send(get())
            await begun.wait()
            client.reset()
            await gone.wait()
        }
    }

    @Test func `arrives complete at a slow client`() async throws {
        let handler: Server.Handler = { _ in
            Response(
                status: 200,
                body: .stream { writer throws(Response.Cut) in
                    for number in 0..<200 {
                        try await writer.write([UInt8](repeating: UInt8(number), count: 50_000))
                    }
                }
            )
        }
        try await withServer(handler: handler) { _, port in
            let folder = try TemporaryFolder()
            let body = folder.path + "/body"
            let run = try FinishedProcess.run(
                "curl",
                ["-s", "--limit-rate", "20M", "http://127.0.0.1:\(port)/", "-o", body]
            )
            #expect(run.exitCode == 0)
            let taken = try Data(contentsOf: URL(filePath: body))
            let sent = (0..<200).reduce(into: Data()) { $0 += Data(repeating: $1, count: 50_000) }
            #expect(taken == sent)
        }
    }
}

@Suite struct `A client that disconnects` {
    @Test(arguments: [false, true])
    func `cancels its handler`(_ byReset: Bool) async throws {
        let (started, ended) = (Tally(), Tally())
        let handler: Server.Handler = { _ in
            await started.add()
            let isCancelled = (try? await Task.sleep(for: .seconds(60))) == nil
            if isCancelled { await ended.add() }
            return Response(status: 200)
        }
        try await withServer(handler: handler) { _, port in
            let client = try RawClient(port)
            client.send(get())
            await started.wait()
            byReset ? client.reset() : client.close()
            await ended.wait()
        }
    }

    @Test(arguments: [false, true])
    func `ends its stream that waits for events`(_ respondsLater: Bool) async throws {
        let ended = Tally()
        let handler: Server.Handler = { _ in
            if respondsLater { await Task.yield() }
            return Response(
                status: 200,
                body: .stream { writer throws(Response.Cut) in
                    try await writer.write([0x61])
                    for await _ in AsyncStream<Int>(unfolding: { try? await forever() }) {}
                    await ended.add()
                }
            )
        }
        try await withServer(handler: handler) { _, port in
            let client = try RawClient(port)
            client.send(get())
            _ = try client.take(upTo: "a\r\n")
            client.close()
            await ended.wait()
        }
    }
}

private func forever() async throws -> Int {
    try await Task.sleep(for: .seconds(3600))
    return 0
}
