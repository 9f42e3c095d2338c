import PrivateFiles
import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import OneTimePassword
@testable import TransactionApproval

@Suite struct `Requests to a verifier` {
    let home: Home
    let server: ScriptedServer

    init() throws {
        home = try Home()
        server = try ScriptedServer()
    }

    private func fetch(
        _ account: OpenAccount,
        clock: Timestamp = ScriptedServer.now
    ) async throws -> [TransactionID] {
        let handler = try home.handler(server, clock: clock)
        let party = try Peer(account)
        return try await handler.send(TransactionListExchange.self, NoContent(), by: party)
            .transactions
    }

    private let list = TransactionListExchange.Response(transactions: [TransactionID(checked: "T")])

    @Test func `return the response to a signed request`() async throws {
        let account = try await home.addAccount(of: server)
        server.then(TransactionListExchange.self, .done(list))
        #expect(try await fetch(account) == list.transactions)
        let request = try #require(server.requests.first)
        #expect(request.parameters.deviceID == account.record.device)
        #expect(request.message.targetURI == "https://approve.bank.example/device/v1/transactions")
    }

    @Test func `return the details of a refusal`() async throws {
        let account = try await home.addAccount(of: server)
        server.then(TransactionListExchange.self, .refused(.rateLimited(retryAfterSeconds: 30)))
        let error = await #expect(throws: AuthenticationError.self) { try await fetch(account) }
        #expect(error?.code == .rateLimited)
        #expect(error?.retryAfter == .seconds(30))
    }

    // MARK: The clock (SEC-30)

    @Test(arguments: [-86_400, -121, 121, 86_400, 315_576_000])
    func `correct a wrong clock and sign once more`(
        _ seconds: Int
    ) async throws {
        let account = try await home.addAccount(of: server)
        server.then(TransactionListExchange.self, .done(list))
        let clock = ScriptedServer.now + .seconds(seconds)
        #expect(try await fetch(account, clock: clock) == list.transactions)
    }

    @Test(arguments: [-86_400, 0, 3600])
    func `show how far a clock is off that the verifier refused`(_ seconds: Int) async throws {
        let account = try await home.addAccount(of: server)
        server.thenTellStatus(of: account)
        let clock = ScriptedServer.now + .seconds(seconds)
        let profile = try await home.handler(server, clock: clock).profile()
        #expect(profile.clockOffset == .seconds(-seconds))
    }

    @Test(arguments: [-60, -1, 1, 60])
    func `show no offset after the clock was corrected`(_ seconds: Int) async throws {
        let account = try await home.addAccount(of: server)
        for _ in 0..<2 { server.thenTellStatus(of: account) }
        let clock = LockedValue(ScriptedServer.now + .seconds(3600))
        let handler = try home.handler(server, clock: clock.withLock { $0 })
        #expect(try await handler.profile().clockOffset == .seconds(-3600))
        clock.withLock { $0 = ScriptedServer.now + .seconds(seconds) }
        #expect(try await handler.profile().clockOffset == .zero)
    }

    @Test func `do not sign a third time if the clock is still wrong`() async throws {
        let account = try await home.addAccount(of: server)
        // The server's clock does not advance, so the error remains.
        let wrong = ScriptedServer.now + .seconds(86_400)
        server.then(TransactionListExchange.self, .refused(.clockSkew(serverTime: wrong)))
        let error = await #expect(throws: AuthenticationError.self) { try await fetch(account) }
        #expect(error?.code == .clockSkew)
    }

    // MARK: Unsigned responses

    /// Responses that an attacker on the network could send.
    enum Forgery: CaseIterable, Sendable {
        case page, otherKey, otherRequest, otherStatus, otherBody, unreadable

        func response(
            of server: ScriptedServer,
            to request: AuthenticRequest
        ) throws -> UnverifiedResponse {
            let exchange = TransactionListExchange.self
            let message = try exchange.message(.refused(.deviceRevoked))
            let fields = try message.signedFields(
                respondingTo: request.reference,
                created: ScriptedServer.now,
                with: server.signingKey
            )
            let page = Array("<html>".utf8)
            switch self {
            case .page:
                return UnverifiedResponse(status: 200, fields: [], body: page)
            case .otherKey:
                return try server.response(
                    exchange,
                    .refused(.deviceRevoked),
                    to: request.reference,
                    with: P256.PrivateKey()
                )
            case .otherRequest:
                let other = try SignedRequest(
                    request.message,
                    parameters: .init(
                        deviceID: .random(),
                        created: ScriptedServer.now,
                        nonce: .random()
                    ),
                    signedWith: P256.PrivateKey()
                )
                return try server.response(exchange, .refused(.deviceRevoked), to: other.reference)
            case .otherStatus:
                return UnverifiedResponse(status: 200, fields: fields, body: message.body)
            case .otherBody:
                return UnverifiedResponse(status: message.status, fields: fields, body: page)
            case .unreadable:
                let message = ResponseMessage(status: 200, contentType: "text/html", body: page)
                let fields = try message.signedFields(
                    respondingTo: request.reference,
                    created: ScriptedServer.now,
                    with: server.signingKey
                )
                return UnverifiedResponse(status: 200, fields: fields, body: page)
            }
        }
    }

    @Test(arguments: Forgery.allCases)
    func `reject a response that the verifier did not sign (SEC-42)`(
        _ forgery: Forgery
    ) async throws {
        let account = try await home.addAccount(of: server)
        for _ in 0..<2 {
            server.then { [server] _, request in try forgery.response(of: server, to: request) }
        }
        let error = await #expect(throws: AuthenticationError.self) { try await fetch(account) }
        #expect(error?.code == .serverUntrusted)
        #expect(error?.trustFailure == .response)
        #expect(try home.vault().accounts().count == 1)
    }

    private func respond(_ status: Int, _ fields: [HTTPField] = []) {
        server.then { _, _ in UnverifiedResponse(status: status, fields: fields, body: []) }
    }

    @Test(arguments: [500, 502, 503, 599])
    func `are repeated once after an unsigned outage, as if the response were lost`(
        _ status: Int
    ) async throws {
        let account = try await home.addAccount(of: server)
        respond(status)
        server.then(TransactionListExchange.self, .done(list))
        #expect(try await fetch(account) == list.transactions)
        #expect(Set(server.requests.map(\.message.body)).count == 1)
        for _ in 0..<2 { respond(status) }
        let error = await #expect(throws: AuthenticationError.self) { try await fetch(account) }
        #expect(error?.code == .responseMissing)
        #expect(error?.leavesResultUnknown == true)
        #expect(server.requests.count == 4)
    }

    @Test(arguments: [
        (200, []), (401, []), (499, []), (503, [HTTPField("Signature", "")]),
        (503, [HTTPField("signature", "countersign=:AA==:")]),
    ])
    func `report other unsigned responses as not verified (SEC-42)`(
        _ status: Int,
        _ fields: [HTTPField]
    ) async throws {
        let account = try await home.addAccount(of: server)
        for _ in 0..<2 { respond(status, fields) }
        let error = await #expect(throws: AuthenticationError.self) { try await fetch(account) }
        #expect(error?.trustFailure == .response)
    }

    @Test func `are repeated once if the response is lost`() async throws {
        let account = try await home.addAccount(of: server)
        server.thenLoseTheResponse()
        server.then(TransactionListExchange.self, .done(list))
        #expect(try await fetch(account) == list.transactions)
        let requests = server.requests
        #expect(requests.count == 2)
        #expect(requests[0].message == requests[1].message)
        #expect(requests[0].parameters.nonce != requests[1].parameters.nonce)
    }

    @Test func `are repeated once if the verifier is unavailable`() async throws {
        let account = try await home.addAccount(of: server)
        server.then(TransactionListExchange.self, .refused(.serverUnavailable))
        server.then(TransactionListExchange.self, .done(list))
        #expect(try await fetch(account) == list.transactions)
        #expect(Set(server.requests.map(\.message.body)).count == 1)
        for _ in 0..<2 { server.then(TransactionListExchange.self, .refused(.serverUnavailable)) }
        let error = await #expect(throws: AuthenticationError.self) { try await fetch(account) }
        #expect(error?.code == .serverUnavailable)
        #expect(server.requests.count == 4)
    }

    @Test func `report a missing response`() async throws {
        let account = try await home.addAccount(of: server)
        for _ in 0..<2 { server.thenLoseTheResponse() }
        let error = await #expect(throws: AuthenticationError.self) { try await fetch(account) }
        #expect(error?.code == .responseMissing)
    }

    @Test func `accept a key that the server announced`() async throws {
        var account = try await home.addAccount(of: server)
        let next = try P256.PrivateKey()
        account.record.nextSigningKey = next.publicKey
        server.then { [server, list] _, request in
            let exchange = TransactionListExchange.self
            return try server.response(exchange, .done(list), to: request.reference, with: next)
        }
        #expect(try await fetch(account) == list.transactions)
    }
}
