import Cryptography
import HTTPServer
import TransactionApproval
import Verification

/// What the verifier says to one route.
protocol DeviceService: DeviceExchange {
    /// Whose signature a request must have that names this device; nil where nobody's is good.
    static func signer(
        of request: Request?,
        named device: DeviceID,
        to api: DeviceAPI
    ) async throws(Verifier.Failure) -> Signer?

    /// Does what a device asks for whose signature was found good.
    static func reply(
        to request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Reply<Response>
}

enum Reply<Response: DeviceMessage> {
    case message(Outcome<Response>)
    case stream(StreamHead, HTTPServer.Response.Stream)
}

/// What the verifier does for a route whose answers are messages, as those of all but one are.
protocol MessageService: DeviceService {
    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response>
}

extension MessageService {
    static func reply(
        to request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Reply<Response> {
        .message(try await outcome(of: request, from: sender, by: api))
    }
}

/// A key, as an uncompressed point, and where the requests are remembered that it signs.
struct Signer {
    let point: [UInt8]
    let nonces: NonceMemory
    /// Nil for a key that somebody brought, who may name any device.
    var limit: RequestLimit?
}

/// A device whose signature was found good, with the key that it was good under.
struct Sender {
    let device: DeviceID
    let key: P256.PublicKey
}

extension DeviceService {
    static func signer(
        of request: Request?,
        named device: DeviceID,
        to api: DeviceAPI
    ) async throws(Verifier.Failure) -> Signer? {
        try await api.signer(named: device)
    }
}

extension DeviceAPI {
    func signer(named device: DeviceID) async throws(Verifier.Failure) -> Signer? {
        try await verifier.publicKey(of: device).map {
            Signer(point: $0, nonces: deviceNonces, limit: deviceLimit)
        }
    }
}

extension DeviceRoute {
    var service: any DeviceService.Type {
        switch self {
        case .activationClaim: ActivationClaimExchange.self
        case .activationCommit: ActivationCommitExchange.self
        case .status: StatusExchange.self
        case .transactionList: TransactionListExchange.self
        case .transaction: TransactionExchange.self
        case .decision: DecisionExchange.self
        case .login: LoginExchange.self
        case .pinCheck: PINCheckExchange.self
        case .rekey: RekeyExchange.self
        case .biometricRemoval: BiometricRemovalExchange.self
        case .push: PushExchange.self
        case .events: EventsExchange.self
        case .deletion: DeletionExchange.self
        }
    }
}
