import Cryptography
import HTTPServer
import TransactionApproval
import Verification

/// The implementation of one route of the device API.
protocol DeviceService: DeviceExchange {
    /// The key that must have signed the request; nil if no key is valid.
    static func signer(
        of request: Request?,
        named device: DeviceID,
        to api: DeviceAPI
    ) async throws(Verifier.Failure) -> Signer?

    /// Handles a request whose signature is valid.
    static func response(
        to request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> ServiceResponse<Response>
}

enum ServiceResponse<Response: DeviceMessage> {
    case message(Outcome<Response>)
    case stream(StreamHead, HTTPServer.Response.Stream)
}

/// A route with a message as its response, which is every route but one.
protocol MessageService: DeviceService {
    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response>
}

extension MessageService {
    static func response(
        to request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> ServiceResponse<Response> {
        .message(try await outcome(of: request, from: sender, by: api))
    }
}

/// A key as an uncompressed point, with the memory of the nonces it signed.
struct Signer {
    let point: [UInt8]
    let nonces: NonceMemory
    /// Nil for a key from the message, which can name any device.
    var limit: RequestLimit?
}

/// A device with a valid signature, and the key that verified it.
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
