import TestSupport
import Testing

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

@Suite struct `The agreement key that a device trusts` {
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

    private func trusted() throws -> P256.PublicKey {
        try home.vault().accounts()[0].record.agreementKey
    }

    private func announcement(
        of next: P256.PrivateKey,
        by current: P256.PrivateKey,
        at origin: String = "https://approve.bank.example"
    ) throws -> AgreementKeyAnnouncement {
        try AgreementKeyAnnouncement(
            of: next.publicKey,
            at: ServerOrigin(origin).unwrapped(),
            signedBy: current
        )
    }

    private func response(_ announcement: AgreementKeyAnnouncement?) -> StatusExchange.Response {
        StatusExchange.Response(
            account: account.record.account,
            credentials: [],
            policy: account.record.policy,
            nextAgreementKey: announcement
        )
    }

    /// Requests the status, which the server signs with this key.
    private func status(
        _ announcement: AgreementKeyAnnouncement?,
        under key: P256.PrivateKey? = nil
    ) async throws {
        let outcome = Outcome.done(response(announcement))
        try await status { [server] request in
            try server.response(StatusExchange.self, outcome, to: request, with: key)
        }
    }

    private func status(
        _ response: @escaping @Sendable (RequestReference) throws -> UnverifiedResponse
    ) async throws {
        // A device repeats a request whose response it cannot trust.
        for _ in 0..<2 { server.then { _, request in try response(request.reference) } }
        defer { server.forget() }
        _ = try await home.handler(server).profile()
    }

    @Test func `SEC-110: is replaced by the key that it announced`() async throws {
        try await status(try announcement(of: next, by: server.agreementKey))
        #expect(try trusted() == next.publicKey)
        // Repeated, or omitted by a node that has no next key.
        try await status(try announcement(of: next, by: server.agreementKey))
        try await status(nil)
        #expect(try trusted() == next.publicKey)
        let third = try P256.PrivateKey()
        try await status(try announcement(of: third, by: next))
        #expect(try trusted() == third.publicKey)
    }

    /// A stolen response key alone, a network alone, a former agreement key alone.
    @Test func `SEC-110: is not replaced by the key of an attacker`() async throws {
        let (own, stranger) = (try P256.PrivateKey(), try P256.PrivateKey())
        // The attacker has the response key, but not the agreement key.
        try await status(try announcement(of: own, by: own))
        try await status(try announcement(of: own, by: server.signingKey))
        try await status(
            AgreementKeyAnnouncement(
                own.publicKey,
                signature: try announcement(of: next, by: server.agreementKey).signature
            )
        )
        // An announcement of another server that has the same key.
        try await status(
            try announcement(of: own, by: server.agreementKey, at: "https://bank.example")
        )
        // The attacker has the agreement key, but not the response key.
        await #expect(throws: AuthenticationError.self) {
            try await status(
                try announcement(of: own, by: server.agreementKey),
                under: stranger
            )
        }
        #expect(try trusted() == server.agreementKey.publicKey)
        // The attacker has the former agreement key.
        try await status(try announcement(of: next, by: server.agreementKey))
        try await status(try announcement(of: own, by: server.agreementKey))
        #expect(try trusted() == next.publicKey)
    }

    @Test func `SEC-110: is not put back by a replayed announcement`() async throws {
        let first = try announcement(of: next, by: server.agreementKey)
        let third = try P256.PrivateKey()
        try await status(first)
        try await status(try announcement(of: third, by: next))
        try await status(first)
        #expect(try trusted() == third.publicKey)
    }

    /// The network removes the announcement from the signed response.
    @Test func `SEC-110: a response without its announcement is not accepted`() async throws {
        let whole = response(try announcement(of: next, by: server.agreementKey))
        let stripped = response(nil)
        await #expect(throws: AuthenticationError.self) {
            try await status { [server] request in
                let sent = try StatusExchange.message(.done(stripped))
                let signed = try [StatusExchange.message(.done(whole)), sent].map {
                    try $0.signedFields(
                        respondingTo: request,
                        created: ScriptedServer.now,
                        with: server.signingKey
                    )
                }
                let isDigest = { (field: HTTPField) in field.name == "content-digest" }
                let fields = signed[0].filter { !isDigest($0) } + signed[1].filter(isDigest)
                return UnverifiedResponse(status: sent.status, fields: fields, body: sent.body)
            }
        }
        #expect(try trusted() == server.agreementKey.publicKey)
    }

    @Test func `SEC-110: a device that missed a rotation keeps its key and its status`()
        async throws
    {
        let third = try P256.PrivateKey()
        try await status(try announcement(of: third, by: next))
        #expect(try trusted() == server.agreementKey.publicKey)
    }

    @Test func `SEC-110: a PIN change uses the announced key`() async throws {
        try await status(try announcement(of: next, by: server.agreementKey))
        server.thenTellStatus(of: account)
        server.then(RekeyExchange.self) { [next] request in
            let name = try ServerKeyID(of: next.publicKey)
            #expect(request.rekey.proposal.serverKey == name)
            return .done(NoContent())
        }
        let handler = try home.handler(server)
        let changes = try await handler.changePIN(from: .typed("271905"), to: .typed("538091"))
        #expect(changes.map(\.outcome) == [.changed])
    }

    // MARK: Before the first activation

    private func trustingBoth(_ former: P256.PublicKey) throws -> TrustedServer {
        TrustedServer(
            origin: account.record.server,
            agreementKey: former,
            nextAgreementKey: server.agreementKey.publicKey,
            signingKey: server.signingKey.publicKey
        )
    }

    @Test func `SEC-110: an app with both keys activates with the next one`() async throws {
        let home = try Home()
        let activation = try ScriptedActivation(at: server)
        let trusted = try trustingBoth(try P256.PrivateKey().publicKey)
        let handler = try home.handler(server)
        activation.respondToClaim()
        let verified = try await handler.verifyActivation(
            Activation(id: activation.id.text, code: activation.code.span, at: trusted)
        )
        activation.respondToCommit()
        _ = try await handler.setPIN(.typed("271905"), for: verified)
        let record = try home.vault().accounts()[0].record
        #expect(record.agreementKey == server.agreementKey.publicKey)
        let name = try ServerKeyID(of: server.agreementKey.publicKey)
        #expect(try trusted.fingerprint == name.description)
    }

    @Test func `SEC-110: a QR code can name either key of an app, and no other key`() throws {
        let former = try P256.PrivateKey().publicKey
        let trusted = try trustingBoth(former)
        for key in [former, server.agreementKey.publicKey, next.publicKey] {
            let name = try ServerKeyID(of: key)
            let uri = ActivationURI(
                server: trusted.origin,
                serverKey: name,
                activation: try .random()
            )
            let text = try uri.text().withBytes { $0.array }
            // Each failure counts as a refusal: `try?`.
            let found = try? Activation.server(scanned: text.span, trusting: [trusted])
            #expect(found?.activationKey == (key == next.publicKey ? nil : key))
        }
    }
}
