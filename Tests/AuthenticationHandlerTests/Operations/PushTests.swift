import Foundation
import PrivateFiles
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite(.timeLimit(.minutes(5))) struct `The notification stream` {
    private let home: Home
    private let server: ScriptedServer

    init() throws {
        home = try Home()
        server = try ScriptedServer()
    }

    /// Responds to one request after the other with a stream, and then to no further request.
    private final class Line: HTTPTransport, @unchecked Sendable {
        typealias Responder = @Sendable (SignedRequest) throws -> OpenResponse

        private let lock = NSLock()
        private var responders: [Responder]

        init(_ responders: [Responder]) { self.responders = responders }

        func response(
            to request: SignedRequest
        ) async throws(HTTPTransportFailure) -> UnverifiedResponse { throw .unreachable }

        func open(_ request: SignedRequest) async throws(HTTPTransportFailure) -> OpenResponse {
            let responder = lock.withLock { responders.isEmpty ? nil : responders.removeFirst() }
            guard let response = responder.flatMap({ try? $0(request) }) else { throw .unreachable }
            return response
        }
    }

    private static func pieces(_ pieces: [[UInt8]]) -> AsyncStream<[UInt8]> {
        let (stream, sink) = AsyncStream<[UInt8]>.makeStream()
        for piece in pieces { sink.yield(piece) }
        sink.finish()
        return stream
    }

    /// Sends the text in an event, after a comment.
    private static func telling(
        _ text: String,
        signedWith key: P256.PrivateKey?,
        respondingTo other: SignedRequest? = nil
    ) -> Line.Responder {
        { request in
            let opening = StreamHead(contentType: EventStream.contentType)
            let fields = try key.map {
                try opening.signedFields(
                    respondingTo: (other ?? request).reference,
                    created: ScriptedServer.now,
                    with: $0
                )
            }
            return OpenResponse(
                status: 200,
                fields: fields ?? [HTTPField("content-type", opening.contentType)],
                pieces: pieces([EventStream.comment, Array("data: \(text)\n\n".utf8)])
            )
        }
    }

    private static func refusing(
        _ problem: Problem,
        signedWith key: P256.PrivateKey
    ) -> Line.Responder {
        { request in
            let message = try EventsExchange.message(.refused(problem))
            let fields = try message.signedFields(
                respondingTo: request.reference,
                created: ScriptedServer.now,
                with: key
            )
            // Sent in two pieces, as the network may split it.
            let halves = [Array(message.body.prefix(9)), Array(message.body.dropFirst(9))]
            return OpenResponse(status: message.status, fields: fields, pieces: pieces(halves))
        }
    }

    private static let endless: Line.Responder = { _ in
        let pieces = AsyncStream { [UInt8](repeating: 0x20, count: 4096) }
        return OpenResponse(status: 403, fields: [], pieces: pieces)
    }

    private func pushes(_ responders: Line.Responder..., count: Int) async throws -> [String] {
        _ = try await home.addAccount(of: server)
        let handler = try home.handler(Line(responders))
        var pushes: [String] = []
        for await push in try await handler.pushes() {
            pushes.append(String(decoding: push, as: UTF8.self))
            if pushes.count == count { break }
        }
        return pushes
    }

    enum Impostor: CaseIterable {
        case withoutSignature, withAnotherKey, respondingToAnother, refusing, refusingWithoutEnd
    }

    @Test(arguments: Impostor.allCases)
    func `SEC-42: ignores an unsigned stream and reconnects`(
        _ impostor: Impostor
    ) async throws {
        let (key, other) = (server.signingKey, try P256.PrivateKey())
        let responder =
            switch impostor {
            case .withoutSignature: Self.telling("wrong", signedWith: nil)
            case .withAnotherKey: Self.telling("wrong", signedWith: other)
            case .respondingToAnother:
                Self.telling("wrong", signedWith: key, respondingTo: try earlierRequest())
            case .refusing: Self.refusing(.deviceRevoked, signedWith: other)
            case .refusingWithoutEnd: Self.endless
            }
        let good = Self.telling("right", signedWith: key)
        #expect(try await pushes(responder, good, count: 1) == ["right"])
    }

    @Test func `report a lost connection once, and its return`() async throws {
        _ = try await home.addAccount(of: server)
        let lost = Self.telling("wrong", signedWith: nil)
        let good = Self.telling("right", signedWith: server.signingKey)
        let handler = try home.handler(Line([lost, good]))
        let changes = LockedValue<[ConnectionChange]>([])
        for await _ in try await handler.pushes(reporting: { change in
            changes.withLock { $0.append(change) }
        }) {
            break
        }
        #expect(changes.withLock { $0 } == [.lost(.serverUntrusted), .restored])
    }

    @Test func `report an unsigned outage as a lost connection`() async throws {
        _ = try await home.addAccount(of: server)
        let outage: Line.Responder = { _ in
            OpenResponse(status: 503, fields: [], pieces: Self.pieces([]))
        }
        let good = Self.telling("right", signedWith: server.signingKey)
        let handler = try home.handler(Line([outage, good]))
        let changes = LockedValue<[ConnectionChange]>([])
        for await _ in try await handler.pushes(reporting: { change in
            changes.withLock { $0.append(change) }
        }) {
            break
        }
        #expect(changes.withLock { $0 } == [.lost(.responseMissing), .restored])
    }

    private func earlierRequest() throws -> SignedRequest {
        try SignedRequest(
            EventsExchange.message(NoContent(), to: server.trusted.origin),
            parameters: DeviceSignatureParameters(
                deviceID: .random(),
                created: ScriptedServer.now,
                nonce: .random()
            ),
            signedWith: P256.PrivateKey()
        )
    }

    @Test func `reconnects after a lost connection`() async throws {
        let key = server.signingKey
        let first = Self.telling("1", signedWith: key)
        let second = Self.telling("2", signedWith: key)
        #expect(try await pushes(first, second, count: 2) == ["1", "2"])
    }

    @Test func `corrects a wrong clock and reconnects at once`() async throws {
        let skew = Problem.clockSkew(serverTime: ScriptedServer.now + .seconds(500))
        let refusal = Self.refusing(skew, signedWith: server.signingKey)
        let good = Self.telling("1", signedWith: server.signingKey)
        #expect(try await pushes(refusal, good, count: 1) == ["1"])
    }

    @Test func `ends if the server no longer accepts this device`() async throws {
        let refusal = Self.refusing(.deviceRevoked, signedWith: server.signingKey)
        #expect(try await pushes(refusal, count: 1) == [])
    }

    /// The server of the revoked device could not be reached before.
    @Test(arguments: [Problem.deviceRevoked, .noAccountActivated])
    func `reports an account that its server no longer accepts, and no restored connection`(
        _ problem: Problem
    ) async throws {
        _ = try await home.addAccount(of: server)
        let lost = Self.telling("wrong", signedWith: nil)
        let refusal = Self.refusing(problem, signedWith: server.signingKey)
        let handler = try home.handler(Line([lost, refusal]))
        let name = try #require(try await handler.accounts().first)
        let changes = LockedValue<[ConnectionChange]>([])
        for await _ in try await handler.pushes(reporting: { change in
            changes.withLock { $0.append(change) }
        }) {}
        #expect(changes.withLock { $0 } == [.lost(.serverUntrusted), .ended(name)])
    }

    @Test func `needs an account`() async throws {
        let handler = try home.handler(Line([]))
        await #expect(throws: AuthenticationError(.noAccountActivated)) {
            _ = try await handler.pushes()
        }
    }
}

@Suite struct `Backoff of the notification stream` {
    @Test func `doubles after each failure, up to one minute, with jitter`() {
        var backoff = ReconnectionBackoff()
        #expect((.milliseconds(500) ... .seconds(1)).contains(backoff.delay()))
        for seconds in [2, 4, 8, 16, 32, 60, 60] {
            let delay = backoff.delay(after: AuthenticationError(.networkUnavailable))
            #expect((.seconds(seconds) / 2 ... .seconds(seconds)).contains(delay))
        }
        #expect(backoff.delay() <= .seconds(1))
    }

    @Test(arguments: [3, 600]) func `is never shorter than the server's minimum`(_ seconds: UInt32)
    {
        var backoff = ReconnectionBackoff()
        let failure = AuthenticationError(refusal: .rateLimited(retryAfterSeconds: seconds))
        #expect(backoff.delay(after: failure) == .seconds(seconds))
    }
}
