import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A streamed response` {
    private static let head = "HTTP/1.1 200 OK\r\nA: 1\r\nTransfer-Encoding: chunked\r\n\r\n"

    private let server: TestServer
    private let client: HTTPClient

    init() throws {
        server = try TestServer()
        client = try .forTests { $0.requestTimeout = .milliseconds(1) }
    }

    private func open(
        _ response: String,
        then ending: String = "hang",
        silence: Duration = .seconds(600)
    ) async throws -> HTTPStream {
        try await client.open(server.play(response, then: ending), silence: silence)
    }

    private func text(_ stream: HTTPStream) async -> String {
        var text = ""
        for await piece in stream.pieces { text += String(decoding: piece, as: UTF8.self) }
        return text
    }

    @Test func `is returned with its first piece, and may outlast the request timeout`()
        async throws
    {
        let stream = try await open(Self.head + "2\r\n:a\r\n")
        #expect(stream.status == 200)
        #expect(stream.headers.first == HTTPHeaderLine("A", "1"))
        var pieces = stream.pieces.makeAsyncIterator()
        #expect(await pieces.next() == Array(":a".utf8))
    }

    @Test(arguments: ["0\r\n\r\n", "", "5\r\nab", "nonsense\r\n"])
    func `ends with its pieces, and reports whether it is complete`(_ ending: String) async throws {
        let stream = try await open(Self.head + "2\r\n:a\r\n" + ending, then: "close")
        #expect(await text(stream).hasPrefix(":a"))
        for _ in 1...2 { #expect(await stream.isComplete() == (ending == "0\r\n\r\n")) }
    }

    @Test func `ends with its client when it was read`() async throws {
        var client: HTTPClient? = try .forTests()
        let response = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno"
        let request = server.play(response, then: "keep")
        let stream = try #require(try await client?.open(request, silence: .seconds(600)))
        #expect(await text(stream) == "no")
        #expect(await stream.isComplete())
        client = nil
        try await server.waitForLine("ended")
    }

    @Test func `is complete if it ends at once`() async throws {
        let stream = try await open(
            "HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno",
            then: "close"
        )
        #expect(stream.status == 403)
        #expect(await text(stream) == "no")
        let empty = try await open("HTTP/1.1 204 No\r\n\r\n", then: "close")
        #expect(await text(empty) == "")
        #expect(await empty.isComplete())
    }

    /// Anyone on the way can end the connection.
    @Test(arguments: ["", "Content-Length: 99999999999999999999\r\n"])
    func `is incomplete if only the connection ends it`(_ field: String) async throws {
        let stream = try await open("HTTP/1.1 200 OK\r\n\(field)\r\nab", then: "close")
        #expect(await text(stream) == "ab")
        #expect(await !stream.isComplete())
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nA", "nonsense\r\n\r\n"])
    func `does not start without a response`(_ response: String) async throws {
        await #expect(throws: HTTPFailure.self) { _ = try await open(response, then: "close") }
    }

    @Test func `ends if no byte arrives for too long`() async throws {
        let stream = try await open(Self.head + "2\r\n:a\r\n", silence: .seconds(4))
        #expect(await text(stream) == ":a")
        try await server.waitForLine("ended")
    }

    /// An idle stream with a heartbeat carries less than one byte per second.
    ///
    /// libcurl's own limit of speed is an average over seconds, and would end this stream after the
    /// third byte.
    @Test func `stays open while single bytes arrive in time`() async throws {
        let stream = try await open(
            Self.head + "1\r\n:\r\n|1\r\n:\r\n",
            then: "trickle",
            silence: .seconds(8)
        )
        var count = 0
        for await _ in stream.pieces {
            count += 1
            if count == 5 { break }
        }
        #expect(count == 5)
    }

    @Test func `ends when the reader drops it`() async throws {
        do {
            let stream = try await open(Self.head + "2\r\n:a\r\n")
            for await _ in stream.pieces { break }
        }
        try await server.waitForLine("ended")
    }

    @Test func `ends with the task that reads it`() async throws {
        let stream = try await open(Self.head + "2\r\n:a\r\n")
        let (client, request) = (client, server.play(Self.head, then: "hang"))
        let listening = Task { for await _ in stream.pieces {} }
        let opening = Task { try await client.open(request, silence: .seconds(600)) }
        try await server.waitForLine("request /play")
        try await server.waitForLine("request /play")
        listening.cancel()
        opening.cancel()
        await listening.value
        await #expect(throws: HTTPFailure.cancelled(isSent: true)) { _ = try await opening.value }
        try await server.waitForLine("ended")
        try await server.waitForLine("ended")
    }

    /// More than all buffers on the way, and for longer than the silence.
    @Test func `makes the server wait for its reader`() async throws {
        let count = 16 << 20
        let stream = try await open(
            "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n"
                + String(repeating: "a", count: count),
            then: "fill",
            silence: .seconds(4)
        )
        try await server.waitForLine("full")
        var received = 0
        for await piece in stream.pieces { received += piece.count }
        #expect(received == count)
        #expect(await stream.isComplete())
    }

    @Test func `ends when the reader drops it while the server waits`() async throws {
        do {
            let piece = "4000\r\n" + String(repeating: "a", count: 0x4000) + "\r\n"
            let stream = try await open(Self.head + "2\r\n:a\r\n|" + piece)
            for await _ in stream.pieces { break }
        }
        try await server.waitForLine("ended")
    }
}
