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
        let lines = ["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)"] + fields
        try server.respond(with: Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8))
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
        settings.requestLimit = limit
        settings.maximumResponseByteCount = 64 << 10
        return try HTTPClient(settings)
    }
}

extension TestServer.Request {
    func field(_ name: String) -> String? {
        fields.first { $0[0].lowercased() == name }?[1]
    }

    /// The value at these names of the body.
    subscript(names: String...) -> Any? {
        names.reduce(try? JSONSerialization.jsonObject(with: body)) { value, name in
            (value as? [String: Any])?[name]
        }
    }

    /// The findings of an independent program.
    func findings(_ words: String...) throws -> String {
        let checker = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "reference_checker.py"
        )
        let text: [String: Any] = [
            "method": method, "target": target, "fields": fields,
            "body": body.base64EncodedString(),
        ]
        let process = try FinishedProcess.run(
            "/usr/bin/python3",
            [checker.path] + words,
            input: Array(try JSONSerialization.data(withJSONObject: text))
        )
        return process.output + process.errorOutput
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
