import Foundation
import HTTPClient
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A connection` {
    private let server: TestServer

    init() throws {
        server = try TestServer()
    }

    private func connectionCount(_ client: HTTPClient) async throws -> Int? {
        Int(try await client.send(HTTPRequest(.get, server.url("/connections"))).text)
    }

    @Test func `is used for several requests`() async throws {
        let client = try HTTPClient.forTests()
        for _ in 0..<20 { _ = try await client.send(HTTPRequest(.get, server.url("/"))) }
        #expect(try await connectionCount(client) == 1)
        #expect(try await connectionCount(.forTests()) == 2)
    }

    @Test func `is one of a hundred at the same time`() async throws {
        try await sendHundred(HTTPClient.forTests())
    }

    @Test func `is kept after a burst`() async throws {
        let client = try HTTPClient.forTests()
        try await sendHundred(client)
        #expect(try await connectionCount(client) == 100)
        try await sendHundred(client)
        let count = try #require(try await connectionCount(client))
        // The server can see a request before libcurl has kept the connection of an earlier one.
        #expect((100..<120).contains(count), "\(count)")
    }

    private func sendHundred(_ client: HTTPClient) async throws {
        let request = HTTPRequest(.get, server.url("/gather"))
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await client.send(request).status } }
            for try await status in group { #expect(status == 200) }
        }
    }

    @Test func `that the server closed unnoticed causes a second attempt, not a failure`()
        async throws
    {
        let client = try HTTPClient.forTests()
        let request = HTTPRequest(.post([1]), server.url("/stale"))
        for _ in 0..<2 { #expect(try await client.send(request).status == 200) }
        for _ in 0..<3 { try await server.waitForLine("request /stale") }
    }

    /// The server may have processed the first attempt, although the second one failed.
    @Test func `that ends unnoticed together with its server loses the response`()
        async throws
    {
        let client = try HTTPClient.forTests()
        let request = HTTPRequest(.post([1]), server.url("/vanish"))
        #expect(try await client.send(request).status == 200)
        await #expect(throws: HTTPFailure.responseMissing) { try await client.send(request) }
    }

    @Test func `that is reset during a request loses its response`() async throws {
        let body = [UInt8](repeating: 0, count: 20 << 20)
        await #expect(throws: HTTPFailure.responseMissing) {
            try await HTTPClient.forTests().send(HTTPRequest(.post(body), server.url("/reset")))
        }
    }

    @Test func `that is refused makes the network unavailable`() async throws {
        let port = try LoopbackSocket(.bound)
        await #expect(throws: HTTPFailure.networkUnavailable(.connection)) {
            try await HTTPClient.forTests().send(port.request)
        }
    }

    @Test func `without a TLS handshake makes the network unavailable`() async throws {
        let port = try LoopbackSocket(.listening)
        let client = try HTTPClient.forTests { $0.connectionTimeout = .milliseconds(200) }
        await #expect(throws: HTTPFailure.networkUnavailable(.deadline)) {
            try await client.send(port.request)
        }
    }

    @Test func `ends with its client`() async throws {
        var client: HTTPClient? = try .forTests()
        _ = try await client?.send(HTTPRequest(.get, server.url("/")))
        client = nil
        try await server.waitForLine("ended")
    }

    @Test func `is not inherited by child processes`() async throws {
        let client = try HTTPClient.forTests()
        _ = try await client.send(HTTPRequest(.get, server.url("/")))
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            .compactMap(Int32.init).filter { peerPort(of: $0) == server.port }
        #expect(descriptors.count == 1)
        for descriptor in descriptors { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
    }

    private func peerPort(of descriptor: Int32) -> Int? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(descriptor, $0, &length)
            }
        }
        guard status == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
