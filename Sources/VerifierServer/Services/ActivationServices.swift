import TransactionApproval
import Verification

// The key in the message signs both steps: the device is not known yet.

extension SigningKey {
    /// Invalid if the message names another device.
    fileprivate init(_ claim: ActivationClaim?, of device: DeviceID) {
        self = claim.flatMap { $0.device == device ? .message($0.deviceKey) : nil } ?? .invalid
    }
}

extension ActivationClaimExchange: MessageService {
    static func signingKey(of request: Request?, named device: DeviceID) -> SigningKey {
        SigningKey(request?.claim, of: device)
    }

    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        switch try await call.verifier.claim(call.request) {
        case .offered(let offer, let mac): .done(Response(offer: offer, mac: mac))
        case .refused(let refusal): .refused(call.problem(refusal))
        }
    }
}

extension ActivationCommitExchange: MessageService {
    static func signingKey(of request: Request?, named device: DeviceID) -> SigningKey {
        SigningKey(request?.submittedClaim.claim, of: device)
    }

    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        switch try await call.verifier.commit(call.request) {
        case .refused(.activation(let refusal)): .refused(call.problem(refusal))
        case .refused(.enrolment): .refused(.invalidArgument)
        case .committed(let outcomes, _) where outcomes.allSatisfy({ $0 == .tooManyDevices }):
            .refused(.accountAlreadyActivated)
        case .committed(let outcomes, let receipt):
            .done(Response(outcomes: outcomes, receipt: receipt))
        }
    }
}

extension DeviceCall {
    /// Only a wrong code counts for the limit, which is checked after the code.
    fileprivate func problem(_ refusal: Activation.Refusal) -> Problem {
        let problem = Problem(refusal)
        guard refusal == .codeInvalid else { return problem }
        return limited(problem, by: api.wrongCodeLimit)
    }
}
