import Foundation
import TestSupport

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

/// A verifier behind a real TLS server, and one account whose files are in a home folder.
struct NetworkedVerifier {
    let server: TestServer
    let account: OpenAccount
    private let home: Home
    private let signingKey: P256.PrivateKey

    init(_ server: TestServer, scheme: String = "https") async throws {
        self.server = server
        home = try Home()
        signingKey = try P256.PrivateKey()
        var record = try AccountRecord.sample(at: server.url("", scheme: scheme))
        record.signingKey = signingKey.publicKey
        account = OpenAccount(record: record, secrets: try .random(P256.PrivateKey(), by: .system))
        let locked = try await home.vault().locked()
        try locked.add(account)
    }

    var origin: String { account.record.server.text }

    /// A handler as an app creates it, with the settings and the CA certificate of the tests.
    func handler(
        _ change: (inout NetworkSettings) throws -> Void = { _ in }
    ) throws -> AuthenticationHandler {
        var network = NetworkSettings()
        network.authorities = try Certificates.shared.get().path(.authority)
        network.proxy = .none
        // A long timeout, so that tests do not fail on a busy machine.
        network.connectionTimeout = .seconds(60)
        network.requestTimeout = .seconds(120)
        try change(&network)
        return try AuthenticationHandler(
            vault: home.vaultPath,
            secrets: SecretFolder(home.secretsPath),
            deviceName: "Phone",
            network: network
        )
    }

    /// Responds to the next request, which must have the device's signature.
    func respond<Exchange: DeviceExchange & SendableMetatype>(
        to exchange: Exchange.Type,
        _ outcome: Outcome<Exchange.Response>
    ) async throws {
        let request = try await server.request()
        let unverified = try UnverifiedRequest(
            method: request.method,
            targetURI: origin + request.target,
            fields: request.fields.map { HTTPField($0[0], $0[1]) },
            body: Array(request.body)
        )
        let now = Dependencies().now()
        guard
            case .authentic(let authentic) = try unverified.verdict(
                for: account.secrets.key.publicKey,
                at: now
            )
        else { throw ScriptedServer.Unscripted() }
        let message = try Exchange.message(outcome)
        let fields = try message.signedFields(
            respondingTo: authentic.reference,
            created: now,
            with: signingKey
        )
        let lines = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        let head = "HTTP/1.1 \(message.status) X\r\nContent-Length: \(message.body.count)\r\n"
        try server.respond(with: Array((head + lines + "\r\n").utf8) + message.body)
    }

    /// Always responds that nothing is pending.
    func respondWithoutTransactions() async throws {
        try await respond(to: TransactionListExchange.self, .done(.init(transactions: [])))
    }
}
