import Cryptography
import FailureTranslation
import TransactionApproval

/// The two ends of an exchange: a device with its key, and a verifier with its keys.
struct Peer: Sendable {
    let device: DeviceID
    /// Nil before an activation.
    let account: Account?
    let key: P256.PrivateKey
    let server: ServerOrigin
    let serverKeys: ServerKeys
    let nextServerKey: P256.PublicKey?
}

extension Peer {
    init(_ account: OpenAccount) throws(AuthenticationError) {
        let record = account.record
        try self.init(
            NewDevice(id: record.device, key: account.secrets.key),
            at: TrustedServer(
                origin: record.server,
                agreementKey: record.agreementKey,
                signingKey: record.signingKey,
                nextSigningKey: record.nextSigningKey
            ),
            of: record.name
        )
    }

    init(
        _ device: NewDevice,
        at server: TrustedServer,
        of account: Account? = nil
    ) throws(AuthenticationError) {
        self.device = device.id
        self.account = account
        key = device.key
        self.server = server.origin
        serverKeys = try translatingSystemFailure(
            ServerKeys(current: server.signingKey, next: server.nextSigningKey)
        )
        nextServerKey = server.nextSigningKey
    }

    /// Signs the request with a new nonce.
    func sign(
        _ message: RequestMessage,
        at moment: Timestamp
    ) throws(AuthenticationError) -> SignedRequest {
        let nonce = try RequestNonce.new()
        do throws(SignatureFailure) {
            return try SignedRequest(
                message,
                parameters: .init(deviceID: device, created: moment, nonce: nonce),
                signedWith: key
            )
        } catch {
            throw AuthenticationError(.vaultUnavailable, cause: "\(error)")
        }
    }

    /// Throws unless the head of the stream has a valid signature.
    func check(
        _ head: UnverifiedResponse,
        opens request: SignedRequest
    ) throws(AuthenticationError) {
        let opening = StreamHead(contentType: EventStream.contentType)
        let signer = try translating(
            head.signer(of: opening, to: request.reference, from: serverKeys),
            to: AuthenticationError.init(system:)
        )
        guard signer != nil else {
            throw AuthenticationError(.response, cause: "a stream that is not signed")
        }
    }

    /// The verified outcome and the signing key; throws if the signature is not valid.
    func read<Exchange: DeviceExchange>(
        _ exchange: Exchange.Type,
        _ response: UnverifiedResponse,
        to request: SignedRequest
    ) throws(AuthenticationError) -> (Outcome<Exchange.Response>, P256.PublicKey) {
        let authentic = try translating(
            response.authentic(to: request.reference, from: serverKeys),
            to: AuthenticationError.init(system:)
        )
        guard let authentic, let outcome = Exchange.outcome(of: authentic.message) else {
            // An outage of the verifier or of a proxy must not look like an attack.
            guard !response.isUnsignedOutage else {
                throw AuthenticationError(
                    .responseMissing,
                    cause: "an unsigned report of an outage"
                )
            }
            throw AuthenticationError(.response, cause: "not signed, or malformed")
        }
        return (outcome, authentic.signer)
    }
}
