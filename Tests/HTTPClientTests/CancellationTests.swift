import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A cancelled task` {
    private let server: TestServer
    private let client: HTTPClient

    init() throws {
        server = try TestServer()
        client = try .forTests()
    }

    @Test func `sends nothing`() async throws {
        let (client, server) = (client, server)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(HTTPRequest(.get, server.url("/cancelled")))
        }
        await #expect(throws: HTTPFailure.cancelled(isSent: false)) { try await task.value }
        _ = try await client.send(HTTPRequest(.get, server.url("/next")))
        #expect(try await server.waitForLine("request") == "request /next")
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"])
    func `ends its request at once`(_ response: String) async throws {
        let (client, request) = (client, server.play(response, then: "hang"))
        let task = Task { try await client.send(request) }
        try await server.waitForLine("request /play")
        task.cancel()
        await #expect(throws: HTTPFailure.cancelled(isSent: true)) { try await task.value }
        // The server notices the end of the connection while the client still exists.
        try await server.waitForLine("ended")
        #expect(try await client.send(HTTPRequest(.get, server.url("/"))).status == 200)
    }

    @Test func `ends during the connection attempt`() async throws {
        let port = try LoopbackSocket(.listening)
        let client = client
        let task = Task { try await client.send(port.request) }
        task.cancel()
        await #expect(throws: HTTPFailure.cancelled(isSent: false)) { try await task.value }
    }

    @Test func `does not affect other requests`() async throws {
        let (client, server) = (client, server)
        let hanging = server.play("", then: "hang")
        let tasks = (0..<20).map { _ in Task { try await client.send(hanging) } }
        for _ in tasks { try await server.waitForLine("request /play") }
        for task in tasks.dropFirst() { task.cancel() }
        for task in tasks.dropFirst() {
            await #expect(throws: HTTPFailure.cancelled(isSent: true)) { try await task.value }
        }
        #expect(try await client.send(HTTPRequest(.get, server.url("/"))).status == 200)
        tasks[0].cancel()
        await #expect(throws: HTTPFailure.cancelled(isSent: true)) { try await tasks[0].value }
    }

    /// More requests than the cooperative pool has threads.
    @Test func `is the only one that ends while servers are silent`() async throws {
        let port = try LoopbackSocket(.listening)
        let tasks = try (0..<64).map { _ in
            let client = try HTTPClient.forTests()
            return Task { try await client.send(port.request) }
        }
        #expect(try await client.send(HTTPRequest(.get, server.url("/"))).status == 200)
        for task in tasks { task.cancel() }
        for task in tasks {
            await #expect(throws: HTTPFailure.cancelled(isSent: false)) { try await task.value }
        }
    }
}
