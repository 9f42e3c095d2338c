import HTTPServer
import TestSupport
import Testing

/// Serialized: each test waits for another task of its own.
@Suite(.serialized) struct `A graceful stop` {
    @Test func `responds to every request in progress, and then closes`() async throws {
        let (tally, release) = (Tally(), Tally())
        let handler: Server.Handler = { request in
            guard request.target != "/idle" else { return await echo(request) }
            await tally.add()
            await release.wait()
            return await echo(request)
        }
        try await withServer(handler: handler) { server, port in
            let clients = try (0..<20).map { _ in try RawClient(port) }
            let idle = try idleClients(port)
            for (number, client) in clients.enumerated() { client.send(get("/\(number)")) }
            await tally.wait(for: 20)
            async let stopped: Void = server.stop(within: .seconds(60))
            try await waitUntil { idle.allSatisfy(\.hasInput) }
            await release.add()
            for (number, client) in clients.enumerated() {
                let response = try client.response()
                #expect(response.body == "GET /\(number) ")
                #expect(try client.isAtEnd())
                client.close()
            }
            await stopped
            #expect(throws: RawClient.Failure.self) { try RawClient(port) }
        }
    }

    @Test func `responds to clients that connected before it`() async throws {
        var deadlines = Deadlines()
        // Long, so that a busy machine fails no test.
        deadlines.stop = .seconds(60)
        try await withServer(deadlines: deadlines) { server, port in
            let clients = try (0..<20).map { _ in try RawClient(port) }
            let idle = try idleClients(port)
            async let stopped: Void = server.stop(within: .seconds(60))
            try await waitUntil { idle.allSatisfy(\.hasInput) }
            #expect(throws: RawClient.Failure.self) { try RawClient(port) }
            for client in clients {
                let response = try client.exchange(get())
                #expect(response.body == "GET / ")
                #expect(response.fields["connection"] == "close")
                client.close()
            }
            await stopped
        }
    }

    @Test func `closes idle connections`() async throws {
        try await withServer { server, port in
            let clients = try (0..<20).map { _ in try RawClient(port) }
            for client in clients { #expect(try client.exchange(get()).status == 200) }
            await server.stop(within: .seconds(60))
            for client in clients { #expect(try client.isAtEnd()) }
        }
    }

    @Test func `waits a second for clients that have sent nothing`() async throws {
        var deadlines = Deadlines()
        deadlines.head = .seconds(600)
        try await withServer(deadlines: deadlines) { server, port in
            let silent = try RawClient(port)
            let begun = try RawClient(port)
            begun.send("GET / HTTP/1.1\r\n")
            async let stopped: Void = server.stop(within: .seconds(300))
            #expect(try silent.isAtEnd())
            begun.send("Host: a\r\n\r\n")
            #expect(try begun.response().body == "GET / ")
            begun.close()
            await stopped
        }
    }

    @Test func `ends after its timeout`() async throws {
        let (started, ended) = (Tally(), Tally())
        let handler: Server.Handler = { _ in
            await started.add()
            if (try? await Task.sleep(for: .seconds(3600))) == nil { await ended.add() }
            return Response(status: 200)
        }
        try await withServer(handler: handler) { server, port in
            let (client, silent) = (try RawClient(port), try RawClient(port))
            client.send(get())
            await started.wait()
            await server.stop(within: .milliseconds(50))
            await ended.wait()
            #expect(try client.isAtEnd())
            #expect(try silent.isAtEnd())
        }
    }

    @Test func `happens once, and only after a start`() async throws {
        try await withServer { server, _ in
            await server.stop(within: .seconds(60))
            await server.stop(within: .seconds(60))
        }
        let server = try Server([try Listener("127.0.0.1", port: 0)], handler: echo)
        await server.stop(within: .seconds(60))
    }

    @Test(.needsPlainMemory) func `ends after a start that failed for lack of threads`() throws {
        let program = BuiltProducts.path(of: "ServerProgram")
        let result = try FinishedProcess.run("timeout", ["60", program, "without-threads"])
        #expect(result.output == "not started\nstopped\n")
        #expect(result.exitCode == 0)
    }

    @Test func `before the start prevents it`() async throws {
        let client: RawClient
        do {
            let server = try Server([try Listener("127.0.0.1", port: 0)], handler: echo)
            await server.stop(within: .seconds(60))
            try await server.start()
            client = try RawClient(server.ports[0])
            client.send(get())
        }
        // The system closes the connection with the socket of the server.
        #expect(throws: (any Error).self) { try client.response() }
    }

    /// One per thread of the server: when both have ended, the other connections are closed too.
    private func idleClients(_ port: Int) throws -> [RawClient] {
        try (0..<2).map { _ in
            let client = try RawClient(port)
            #expect(try client.exchange(get("/idle")).status == 200)
            return client
        }
    }
}
