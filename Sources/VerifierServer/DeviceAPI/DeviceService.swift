import Cryptography
import HTTPServer
import TransactionApproval
import Verification

/// The implementation of one route of the device API.
protocol DeviceService: DeviceExchange {
    /// The key that must have signed the request.
    ///
    /// `request` is nil if its content cannot be read.
    static func signingKey(of request: Request?, named device: DeviceID) -> SigningKey

    /// Handles a request whose signature is valid.
    static func response(
        to call: Call
    ) async throws(Verifier.Failure) -> ServiceResponse<Response>
}

enum SigningKey {
    /// The key of the device in the store.
    case stored
    /// The key in the message: the device may not be known yet.
    case message(P256.PublicKey)
    /// No key is valid.
    case invalid
}

enum ServiceResponse<Response: DeviceMessage> {
    case message(Outcome<Response>)
    case stream(StreamHead, HTTPServer.Response.Stream)
}

/// A request with a valid signature of its device.
struct DeviceCall<Request: DeviceMessage> {
    let request: Request
    let device: DeviceID
    /// The key of the valid signature.
    let key: P256.PublicKey
    /// See `Peer.network`.
    let network: [UInt8]?
    let api: DeviceAPI

    var verifier: Verifier { api.verifier }

    /// The refusal of a request that proves nothing.
    func limited(_ problem: Problem, by limit: StrangerLimit) -> Problem {
        guard limit.allows(network, at: verifier.now) else {
            return .rateLimited(retryAfterSeconds: RequestLimit.retryAfterSeconds)
        }
        return problem
    }
}

extension DeviceService {
    typealias Call = DeviceCall<Request>

    static func signingKey(of request: Request?, named device: DeviceID) -> SigningKey { .stored }
}

/// A route with a message as its response, which is every route but one.
protocol MessageService: DeviceService {
    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response>
}

extension MessageService {
    static func response(
        to call: Call
    ) async throws(Verifier.Failure) -> ServiceResponse<Response> {
        .message(try await outcome(of: call))
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
        case .accountChanges: AccountChangesExchange.self
        }
    }
}
