import BankIntegration
import Foundation
import HTTPClient
import TestSupport
import Testing

@testable import VerifierServer

/// A local receiver whose responses a test controls.
struct Endpoint: Sendable {
    private let server: TestServer

    init() throws {
        server = try TestServer(nil, ["--relay"])
    }

    func url(_ path: String) -> String { server.url(path, scheme: "http", host: "127.0.0.1") }

    func request() async throws -> TestServer.Request { try await server.request() }

    func respond(_ status: Int, _ body: String = "", _ fields: [String] = []) throws {
        try server.respond(status, body, fields)
    }

    /// The next request, with this response.
    func request(
        returning status: Int,
        _ body: String = "",
        _ fields: String...
    ) async throws -> TestServer.Request {
        let request = try await request()
        try respond(status, body, fields)
        return request
    }

    static func client(waiting limit: Duration = .seconds(120)) throws -> HTTPClient {
        var settings = HTTPClient.Configuration()
        settings.allowsPlainLoopback = true
        settings.proxy = .none
        settings.requestTimeout = limit
        settings.maximumResponseByteCount = 64 << 10
        return try HTTPClient(settings)
    }
}

extension OutboxDispatcher {
    /// Runs while `body` runs, and ends before its receivers do.
    func delivering(_ body: () async throws -> Void) async throws {
        let running = Task { await run() }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body())
        } catch {
            result = .failure(error)
        }
        running.cancel()
        await running.value
        try result.get()
    }
}

extension WebhookSecret {
    convenience init(_ text: String) throws {
        let characters = Array(text.utf8)
        try self.init(text: characters.span)
    }
}
