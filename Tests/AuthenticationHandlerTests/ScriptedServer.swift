import Foundation
import PrivateFiles
import TestSupport

@testable import AuthenticationHandler
@testable import Cryptography
@testable import TransactionApproval

/// A server with prepared responses that checks every signature.
///
/// `@unchecked`: the lock protects all mutable state.
final class ScriptedServer: HTTPTransport, @unchecked Sendable {
    /// The response to one request.
    typealias Responder = @Sendable (SignedRequest, AuthenticRequest) throws -> UnverifiedResponse

    struct Unscripted: Error {}

    let origin: String
    let agreementKey: P256.PrivateKey
    let signingKey: P256.PrivateKey
    /// The time of the server's clock.
    static let now = Timestamp.earliest + .seconds(1_790_000_000)

    private let lock = NSLock()
    private var responders: [Responder] = []
    private var received: [AuthenticRequest] = []
    private var deviceKeys: [DeviceID: P256.PublicKey] = [:]

    init(at origin: String = "https://approve.bank.example") throws {
        self.origin = origin
        agreementKey = try P256.PrivateKey()
        signingKey = try P256.PrivateKey()
    }

    var trusted: TrustedServer {
        get throws {
            TrustedServer(
                origin: try ServerOrigin(origin).unwrapped(),
                agreementKey: agreementKey.publicKey,
                signingKey: signingKey.publicKey
            )
        }
    }

    /// The requests with a valid signature of a known device.
    var requests: [AuthenticRequest] { lock.withLock { received } }

    func know(_ device: DeviceID, _ key: P256.PublicKey) {
        lock.withLock { deviceKeys[device] = key }
    }

    func know(_ account: OpenAccount) {
        know(account.record.device, account.secrets.key.publicKey)
    }

    func then(_ responder: @escaping Responder) {
        lock.withLock { responders.append(responder) }
    }

    /// Removes the remaining prepared responses.
    func forget() {
        lock.withLock { responders = [] }
    }

    // MARK: Responses

    func then<Exchange: DeviceExchange & SendableMetatype>(
        _ exchange: Exchange.Type,
        _ outcome: Outcome<Exchange.Response>
    ) {
        then { [self] _, request in try response(exchange, outcome, to: request.reference) }
    }

    /// An outcome that depends on the request.
    func then<Exchange: DeviceExchange & SendableMetatype>(
        _ exchange: Exchange.Type,
        _ decide: @escaping @Sendable (Exchange.Request) throws -> Outcome<Exchange.Response>
    ) {
        then { [self] _, request in
            let outcome = try decide(Exchange.Request(reading: request.message.body))
            return try response(exchange, outcome, to: request.reference)
        }
    }

    /// Responds with the status of an account.
    func thenTellStatus(of account: OpenAccount) {
        let (name, policy) = (account.record.account, account.record.policy)
        then(StatusExchange.self, .done(.init(account: name, credentials: [], policy: policy)))
    }

    /// The same for each account of this home, as a PIN change requests them.
    func thenTellStatuses(in home: Home) throws {
        for account in try home.vault().accounts() { thenTellStatus(of: account) }
    }

    func thenRefuseTheConnection() {
        then { _, _ in throw HTTPTransportFailure.unreachable }
    }

    func thenLoseTheResponse() {
        then { _, _ in throw HTTPTransportFailure.responseMissing }
    }

    /// The person leaves, and the transport ends with this failure.
    func thenBeCancelled(_ failure: HTTPTransportFailure) {
        then { _, _ in
            withUnsafeCurrentTask { $0?.cancel() }
            throw failure
        }
    }

    func response<Exchange: DeviceExchange & SendableMetatype>(
        _ exchange: Exchange.Type,
        _ outcome: Outcome<Exchange.Response>,
        to request: RequestReference,
        with key: P256.PrivateKey? = nil
    ) throws -> UnverifiedResponse {
        let message = try Exchange.message(outcome)
        let fields = try message.signedFields(
            respondingTo: request,
            created: Self.now,
            with: key ?? signingKey
        )
        return UnverifiedResponse(status: message.status, fields: fields, body: message.body)
    }

    // MARK: HTTPTransport

    func response(
        to request: SignedRequest
    ) async throws(HTTPTransportFailure) -> UnverifiedResponse {
        do {
            return try lock.withLock { try take(request) }()
        } catch let failure as HTTPTransportFailure {
            throw failure
        } catch {
            throw .untrusted
        }
    }

    /// The response, which must be created outside of the lock.
    private func take(_ request: SignedRequest) throws -> () throws -> UnverifiedResponse {
        let unverified = try UnverifiedRequest(
            method: request.message.method,
            targetURI: request.message.targetURI,
            fields: request.fields,
            body: request.message.body
        )
        let known = deviceKeys[unverified.parameters.deviceID]
        let key = try (activatingKey(in: request.message.body) ?? known).unwrapped()
        switch try unverified.verdict(for: key, at: Self.now) {
        case .authentic(let authentic):
            received.append(authentic)
            guard !responders.isEmpty else { throw Unscripted() }
            let responder = responders.removeFirst()
            return { try responder(request, authentic) }
        case .clockSkew(let reference):
            let skew = Problem.clockSkew(serverTime: Self.now)
            return { [self] in try response(StatusExchange.self, .refused(skew), to: reference) }
        case .forged: throw Unscripted()
        }
    }
}

/// The key of a device in an activation; other requests have no key: `try?`.
private func activatingKey(in body: [UInt8]) -> P256.PublicKey? {
    let commit = try? ActivationCommit(reading: body)
    let claim = commit?.submittedClaim ?? (try? SubmittedClaim(reading: body))
    return claim?.claim.deviceKey
}

extension Optional where Wrapped: ~Copyable {
    /// `#require` for noncopyable values.
    consuming func unwrapped() throws -> Wrapped {
        switch consume self {
        case .some(let value): return value
        case .none: throw ScriptedServer.Unscripted()
        }
    }
}
