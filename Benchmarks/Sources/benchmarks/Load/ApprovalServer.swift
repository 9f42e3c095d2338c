import Cryptography
import FoundationEssentials
import Glibc
import HTTPServer
import ServerOperation
import TransactionApproval
import Verification
import VerifierServer

/// A verifier in this process that receives the approvals of thousands of devices over TLS.
final class ApprovalServer {
    private static let origin = ServerOrigin("https://approve.bank.example")

    let store: DecisionStore
    let port: Int
    /// The port of a server that always sends the same response, without a verifier.
    ///
    /// The response is as long as the response to an approval.
    let fixedResponsePort: Int
    private let certificate: Certificate

    init(accountCount: Int, deviceCount: Int) async throws {
        guard let origin = Self.origin else { throw BenchmarkFailure("invalid example origin") }
        store = try await DecisionStore(accountCount: accountCount, deciderCount: deviceCount)
        certificate = try Certificate()
        let metrics = Metrics()
        // The log lines are formatted and written, but not read.
        let log = Log(to: open("/dev/null", O_WRONLY | O_CLOEXEC), metrics: metrics)
        let router = Router(
            devices: try DeviceAPI(
                store.verifier,
                at: origin,
                signingWith: P256.PrivateKey(),
                metrics: metrics
            ),
            bank: try BankAPI(store.verifier, at: origin, metrics: metrics),
            reporter: Reporter(metrics: metrics, log: log)
        )
        port = try await Self.serve(by: certificate) { await router.respond(to: $0) }
        let response = await router.respond(to: try Self.listRequest(to: origin, store))
        fixedResponsePort = try await Self.serve(by: certificate) { _ in response }
    }

    /// A request whose response differs from that to an approval in only a few bytes of the body.
    private static func listRequest(
        to origin: ServerOrigin,
        _ store: DecisionStore
    ) throws -> Request {
        let request = try SignedRequest(
            TransactionListExchange.self,
            NoContent(),
            to: origin,
            from: DecisionStore.deviceID(0),
            signedWith: store.deviceKey,
            at: DecisionStore.moment
        )
        return Request(
            method: request.message.method,
            target: DeviceRoute.transactionList.path,
            fields: request.fields.map { Field($0.name, $0.value) },
            body: request.message.body
        )
    }

    /// It serves until this process ends.
    private static func serve(
        by certificate: Certificate,
        _ handler: @escaping Server.Handler
    ) async throws -> Int {
        let server = try Server(
            [Listener("127.0.0.1", port: 0, tls: certificate.settings)],
            handler: handler
        )
        try await server.start()
        return server.ports[0]
    }

    /// A new round of transactions, with the approval request of each device.
    func newRound() async throws -> (decisions: [DecisionStore.Decision], requests: [[UInt8]]) {
        let decisions = try await store.newRound().decisions
        return (decisions, try decisions.map { try request(for: $0).bytes })
    }

    private func request(for decision: DecisionStore.Decision) throws -> SignedRequest {
        guard let origin = Self.origin else { throw BenchmarkFailure("invalid example origin") }
        let signature = Array(decision.evidence.stored.prefix(64))
        return try SignedRequest(
            DecisionExchange.self,
            DecisionExchange.Request(
                transaction: decision.transaction,
                choice: .approve(.userPIN),
                evidence: P256.Signature(raw: signature.span),
                envelope: decision.attempt.code
            ),
            to: origin,
            from: decision.attempt.device,
            signedWith: store.deviceKey,
            at: DecisionStore.moment
        )
    }
}
