import Foundation
import HTTPClient
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import TransactionApproval

@Suite(.timeLimit(.minutes(5))) struct `The network` {
    private func networked(
        _ certificate: Certificates.Name = .server,
        _ options: [String] = []
    ) async throws -> NetworkedVerifier {
        try await NetworkedVerifier(TestServer(certificate, ["--relay"] + options))
    }

    /// The failure of an operation with one request.
    private func error(of handler: AuthenticationHandler) async -> AuthenticationError? {
        do throws(AuthenticationError) {
            _ = try await handler.pendingTransaction()
            return nil
        } catch {
            return error
        }
    }

    private func failure(of handler: AuthenticationHandler) async -> ErrorCode? {
        await error(of: handler)?.code
    }

    /// The failure while the verifier works.
    private func outcome(
        _ verifier: NetworkedVerifier,
        _ handler: AuthenticationHandler
    ) async throws -> ErrorCode? {
        async let failed = failure(of: handler)
        try await verifier.respondWithoutTransactions()
        return await failed
    }

    @Test(arguments: ["TLSv1_2", "TLSv1_3"])
    func `works over TLS 1.2 and later`(
        _ version: String
    ) async throws {
        let verifier = try await networked(.server, ["--versions", version, version])
        #expect(try await outcome(verifier, verifier.handler()) == nil)
    }

    @Test func `works without TLS on the loopback interface`() async throws {
        let server = try TestServer(nil, ["--relay"])
        let verifier = try await NetworkedVerifier(server, scheme: "http")
        #expect(try await outcome(verifier, verifier.handler()) == nil)
        #expect(ServerOrigin("http://bank.example") == nil)
    }

    @Test func `works through a proxy`() async throws {
        let proxy = try TestServer(nil)
        let verifier = try await networked()
        let handler = try verifier.handler { $0.proxy = .url(proxy.url("", scheme: "http")) }
        #expect(try await outcome(verifier, handler) == nil)
        #expect(try await proxy.waitForLine("connect").hasPrefix("connect localhost"))
    }

    // MARK: Untrusted servers (SEC-37)

    @Test(arguments: [Certificates.Name.foreign, .otherHost, .expired])
    func `sends nothing if the certificate is not trusted (SEC-37)`(
        _ certificate: Certificates.Name
    ) async throws {
        let verifier = try await networked(certificate)
        #expect(await error(of: try verifier.handler())?.trustFailure == .connection)
        #expect(try await verifier.server.waitForLine("").hasPrefix("relay") == false)
    }

    @Test func `rejects old versions of TLS (SEC-37)`() async throws {
        let options = ["--versions", "TLSv1_1", "TLSv1_1", "--ciphers", "DEFAULT@SECLEVEL=0"]
        let verifier = try await networked(.server, options)
        #expect(await failure(of: try verifier.handler()) == .networkUnavailable)
    }

    @Test func `trusts only the CA certificates of the file`() async throws {
        let verifier = try await networked(.foreign)
        let certificates = try Certificates.shared.get()
        let trusting = try verifier.handler { $0.authorities = certificates.path(.otherAuthority) }
        #expect(try await outcome(verifier, trusting) == nil)
        let absent = try verifier.handler { $0.authorities = "/absent" }
        #expect(await failure(of: absent) == .invalidArgument)
    }

    // MARK: Pins (SEC-37)

    private func pins(_ names: Certificates.Name...) throws -> [String] {
        try names.map { try Certificates.shared.get().pinText($0) }
    }

    @Test func `accepts the first pinned key and the backup`() async throws {
        let verifier = try await networked()
        for keys in [try pins(.server, .client), try pins(.client, .server)] {
            let handler = try verifier.handler()
            try await handler.configurePinning([.init(origin: verifier.origin, keys: keys)])
            #expect(try await outcome(verifier, handler) == nil)
        }
    }

    @Test func `sends nothing if the key is not pinned (SEC-37)`()
        async throws
    {
        let verifier = try await networked()
        let handler = try verifier.handler()
        let keys = try pins(.client, .rsa)
        try await handler.configurePinning([.init(origin: verifier.origin, keys: keys)])
        #expect(await error(of: handler)?.trustFailure == .connection)
        // Pins of another server do not apply to this one.
        let other = try PinnedServer(origin: "https://bank.example", keys: keys)
        try await handler.configurePinning([other])
        #expect(try await outcome(verifier, handler) == nil)
    }

    @Test func `closes old connections when pins change (SEC-37)`() async throws {
        let verifier = try await networked()
        let handler = try verifier.handler()
        #expect(try await outcome(verifier, handler) == nil)
        let keys = try pins(.client, .rsa)
        try await handler.configurePinning([.init(origin: verifier.origin, keys: keys)])
        #expect(await error(of: handler)?.trustFailure == .connection)
    }

    @Test func `accepts well-formed pins with a backup, for TLS only`()
        throws
    {
        let good = try pins(.server, .client)
        _ = try PinnedServer(origin: "https://bank.example", keys: good)
        let refused: [(origin: String, keys: [String])] = [
            ("https://bank.example", []),
            ("https://bank.example", [good[0]]),
            ("https://bank.example", [good[0], good[0]]),
            ("https://bank.example", good + ["c2hvcnQ="]),
            ("https://bank.example/", good),
            ("http://localhost", good),
        ]
        for (origin, keys) in refused {
            #expect(throws: AuthenticationError.self) {
                try PinnedServer(origin: origin, keys: keys)
            }
        }
    }

    // MARK: Responses

    private static let long = [UInt8](
        repeating: 0x20,
        count: NetworkTransport.maximumResponseByteCount + 1
    )

    /// A report shows the beginning of the response.
    struct Response: CustomTestStringConvertible, ExpressibleByStringInterpolation {
        let text: String
        init(stringLiteral text: String) { self.text = text }
        var testDescription: String { String(text.prefix(40)) }
    }

    /// Each request arrives twice, because it is repeated if the result is unknown.
    @Test(
        arguments: [
            "HTTP/1.1 307 X\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: 131073\r\n\r\n\(String(decoding: long, as: UTF8.self))",
            "HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        ] as [Response]
    )
    func `accepts no unsigned verdict and follows no redirect (SEC-42)`(
        _ response: Response
    ) async throws {
        let verifier = try await networked()
        let handler = try verifier.handler()
        async let failed = error(of: handler)
        for _ in 0..<2 {
            let request = try await verifier.server.request()
            #expect(request.target == DeviceRoute.transactionList.path)
            try verifier.server.respond(with: Array(response.text.utf8))
        }
        #expect(await failed?.code == .serverUntrusted)
        #expect(await failed?.trustFailure == .response)
    }

    @Test func `fails after the timeout`() async throws {
        let verifier = try await networked()
        let handler = try verifier.handler { $0.requestTimeout = .seconds(2) }
        #expect(await failure(of: handler) == .responseMissing)
    }

    @Test func `is unavailable if no server listens`() async throws {
        let verifier = try await networked()
        let handler = try verifier.handler { $0.proxy = .url("http://127.0.0.1:1") }
        #expect(await failure(of: handler) == .networkUnavailable)
    }

    @Test func `stops when the task is cancelled`() async throws {
        let verifier = try await networked()
        let handler = try verifier.handler()
        let task = Task { await failure(of: handler) }
        _ = try await verifier.server.request()
        task.cancel()
        #expect(await task.value == .responseMissing)
    }

    @Test func `gets nothing from a task that is cancelled already`() async throws {
        let verifier = try await networked()
        let handler = try verifier.handler()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await failure(of: handler)
        }
        #expect(await task.value == .networkUnavailable)
        #expect(try await outcome(verifier, handler) == nil)
    }

    // MARK: The catalogue

    @Test(
        arguments: [
            (.invalidRequest, .invalidArgument), (.unusableCertificateFile, .invalidArgument),
            (.networkUnavailable(.name), .networkUnavailable),
            (.networkUnavailable(.connection), .networkUnavailable),
            (.networkUnavailable(.proxy), .networkUnavailable),
            (.networkUnavailable(.handshake), .networkUnavailable),
            (.networkUnavailable(.deadline), .networkUnavailable),
            (.serverUntrusted, .serverUntrusted), (.responseMissing, .responseMissing),
            (.responseTooLarge, .serverUntrusted), (.malformedResponse, .serverUntrusted),
            (.cancelled(isSent: true), .responseMissing),
            (.cancelled(isSent: false), .networkUnavailable),
            (.library(operation: "curl_easy", code: 27), .networkUnavailable),
        ] as [(HTTPFailure, ErrorCode)]
    )
    func `has an error code for each failure`(
        _ failure: HTTPFailure,
        _ code: ErrorCode
    ) {
        #expect(AuthenticationError(transport: HTTPTransportFailure(failure)).code == code)
    }
}
