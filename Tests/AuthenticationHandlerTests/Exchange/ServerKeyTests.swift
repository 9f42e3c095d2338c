import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite struct `The signing key of a server` {
    private let home: Home
    private let server: ScriptedServer
    private let account: OpenAccount
    private let next: P256.PrivateKey

    init() async throws {
        home = try Home()
        server = try ScriptedServer()
        account = try await home.addAccount(of: server)
        next = try P256.PrivateKey()
    }

    private func record() throws -> AccountRecord { try home.vault().accounts()[0].record }

    /// Requests the status, which the server signs with this key.
    private func status(
        announcing announced: P256.PublicKey?,
        under key: P256.PrivateKey? = nil
    ) async throws {
        let status = StatusExchange.Response(
            account: account.record.account,
            credentials: [],
            policy: account.record.policy,
            nextServerKey: announced
        )
        server.then { [server] _, request in
            try server.response(
                StatusExchange.self,
                .done(status),
                to: request.reference,
                with: key
            )
        }
        _ = try await home.handler(server).profile()
    }

    /// The failure of a request whose responses are always signed with this key.
    private func failure(under key: P256.PrivateKey) async throws -> ErrorCode? {
        server.forget()
        for _ in 0..<2 {
            server.then { [server] _, request in
                let response = TransactionListExchange.Response(transactions: [])
                return try server.response(
                    TransactionListExchange.self,
                    .done(response),
                    to: request.reference,
                    with: key
                )
            }
        }
        let handler = try home.handler(server)
        do throws(AuthenticationError) {
            _ = try await handler.pendingTransactions()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `is replaced by the key that it announced`()
        async throws
    {
        #expect(try await failure(under: next) == .serverUntrusted)
        try await status(announcing: next.publicKey)
        #expect(try record().nextSigningKey == next.publicKey)
        // Both keys are valid until the server switches.
        #expect(try await failure(under: server.signingKey) == nil)
        #expect(try record().signingKey == server.signingKey.publicKey)
        #expect(try await failure(under: next) == nil)
        #expect(try record().signingKey == next.publicKey)
        #expect(try record().nextSigningKey == nil)
        #expect(try await failure(under: server.signingKey) == .serverUntrusted)
        #expect(try await failure(under: next) == nil)
    }

    @Test func `is not replaced by a key that another key announced`() async throws {
        let stranger = try P256.PrivateKey()
        for _ in 0..<2 {
            await #expect(throws: AuthenticationError.self) {
                try await status(announcing: next.publicKey, under: stranger)
            }
        }
        server.forget()
        #expect(try record().nextSigningKey == nil)
        #expect(try await failure(under: next) == .serverUntrusted)
    }

    @Test func `is replaced by the last announced key, even if later responses omit it`()
        async throws
    {
        let other = try P256.PrivateKey()
        try await status(announcing: other.publicKey)
        try await status(announcing: next.publicKey)
        try await status(announcing: nil)
        #expect(try await failure(under: other) == .serverUntrusted)
        #expect(try await failure(under: next) == nil)
        // A key that announces itself has no next key.
        try await status(announcing: next.publicKey, under: next)
        #expect(try record().nextSigningKey == nil)
    }

    /// Prepares a list of transactions whose response has this field.
    private func respondWithList(_ field: HTTPField?) {
        server.then { [server] _, request in
            let list = Outcome.done(TransactionListExchange.Response(transactions: []))
            let message = try TransactionListExchange.message(list)
            let fields = try message.signedFields(
                respondingTo: request.reference,
                created: ScriptedServer.now,
                with: server.signingKey
            )
            return UnverifiedResponse(
                status: message.status,
                fields: fields + [field].compactMap(\.self),
                body: message.body
            )
        }
    }

    private func names(_ keys: P256.PublicKey...) throws -> HTTPField? {
        try AnnouncedKeys(of: keys)?.field
    }

    @Test func `is requested if the response to another request names a new one`() async throws {
        let handler = try home.handler(server)
        let policy = account.record.policy
        let status = StatusExchange.Response(
            account: account.record.account,
            credentials: [],
            policy: policy,
            nextServerKey: next.publicKey
        )
        respondWithList(try names(next.publicKey))
        server.then(StatusExchange.self, .done(status))
        _ = try await handler.pendingTransactions()
        #expect(try record().nextSigningKey == next.publicKey)
        #expect(server.requests.count == 2)
        // Another program on this device also knows it now.
        for handler in [handler, try home.handler(server)] {
            respondWithList(try names(next.publicKey, server.agreementKey.publicKey))
            _ = try await handler.pendingTransactions()
        }
        #expect(server.requests.count == 4)
    }

    @Test func `is requested once if the name is forged, and never if it is malformed`()
        async throws
    {
        let handler = try home.handler(server)
        for _ in 0..<2 {
            respondWithList(try names(next.publicKey))
            if server.requests.isEmpty { server.thenTellStatus(of: account) }
            _ = try await handler.pendingTransactions()
        }
        #expect(server.requests.count == 3)
        let field = try #require(try names(next.publicKey))
        let values = ["", "next", field.value.uppercased(), field.value + ",", field.value + ", "]
        for value in values {
            respondWithList(HTTPField(field.name, value))
            _ = try await handler.pendingTransactions()
        }
        #expect(server.requests.count == 3 + values.count)
        #expect(try record().nextSigningKey == nil)
    }

    @Test func `can change before the first activation of an app`() async throws {
        let home = try Home()
        let activation = try ScriptedActivation(at: server)
        let former = try P256.PrivateKey()
        let trusted = TrustedServer(
            origin: account.record.server,
            agreementKey: server.agreementKey.publicKey,
            signingKey: former.publicKey,
            nextSigningKey: server.signingKey.publicKey
        )
        let handler = try home.handler(server)
        activation.respondToClaim()
        let verified = try await handler.verifyActivation(
            Activation(id: activation.id.text, code: activation.code.span, at: trusted)
        )
        activation.respondToCommit()
        let pin = try PIN.typed("271905")
        #expect(try await handler.setPIN(pin, for: verified).map(\.outcome) == [.enrolled])
        let record = try home.vault().accounts()[0].record
        #expect(record.signingKey == server.signingKey.publicKey)
        #expect(record.nextSigningKey == nil)
    }

    @Test func `is rejected if its text is not a key`() throws {
        let key = TextEncoding.base64URL.encode(next.publicKey.uncompressedPoint.span)
        let origin = "https://bank.example"
        let both = try TrustedServer(
            origin: origin,
            agreementKey: key,
            signingKey: key,
            nextSigningKey: key
        )
        #expect(both.nextSigningKey == next.publicKey)
        let one = try TrustedServer(origin: origin, agreementKey: key, signingKey: key)
        #expect(one.nextSigningKey == nil)
        for place in 0..<4 {
            var texts = [origin, key, key, key]
            texts[place].removeLast()
            if place == 0 { texts[0] = "bank.example" }
            #expect(throws: AuthenticationError.self) {
                try TrustedServer(
                    origin: texts[0],
                    agreementKey: texts[1],
                    signingKey: texts[2],
                    nextSigningKey: texts[3]
                )
            }
        }
    }
}
