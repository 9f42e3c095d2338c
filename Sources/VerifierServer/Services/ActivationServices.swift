import Cryptography
import TransactionApproval
import Verification

// The key in the message signs both steps: the device is not known yet.

extension ActivationClaim {
    /// Nil if the message names another device.
    fileprivate func signer(named device: DeviceID, to api: DeviceAPI) -> Signer? {
        guard device == self.device else { return nil }
        return Signer(point: deviceKey.uncompressedPoint, nonces: api.claimantNonces)
    }
}

extension ActivationClaimExchange: MessageService {
    static func signer(
        of request: Request?,
        named device: DeviceID,
        to api: DeviceAPI
    ) async throws(Verifier.Failure) -> Signer? {
        request?.claim.signer(named: device, to: api)
    }

    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response> {
        switch try await api.verifier.claim(request) {
        case .offered(let offer, let mac): .done(Response(offer: offer, mac: mac))
        case .refused(let refusal): .refused(Problem(refusal))
        }
    }
}

extension ActivationCommitExchange: MessageService {
    static func signer(
        of request: Request?,
        named device: DeviceID,
        to api: DeviceAPI
    ) async throws(Verifier.Failure) -> Signer? {
        request?.submittedClaim.claim.signer(named: device, to: api)
    }

    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response> {
        switch try await api.verifier.commit(request) {
        case .refused(let refusal): .refused(Problem(refusal))
        case .committed(let outcomes, _) where outcomes.allSatisfy({ $0 == .tooManyDevices }):
            .refused(.accountAlreadyActivated)
        case .committed(let outcomes, let receipt):
            .done(Response(outcomes: outcomes, receipt: receipt))
        }
    }
}
