import Cryptography
import TransactionApproval
import Verification

extension LoginExchange: MessageService {
    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        let request = call.request
        let result = try await call.verifier.logIn(
            over: request.dataDigest.array,
            by: request.type,
            Attempt(device: call.device, code: request.envelope)
        )
        return switch result {
        case .accepted(let login?): .done(Response(login: login))
        // Every accepted login has a grant.
        case .accepted(nil): .refused(.serverUnavailable)
        case .refused(let refusal):
            .refused(try await call.problem(refusal, with: request.type.credentialKind))
        }
    }
}

extension PINCheckExchange: MessageService {
    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        let attempt = Attempt(device: call.device, code: call.request.envelope)
        let result = try await call.verifier.checkPIN(attempt, for: call.request.claimDigest)
        return try await call.outcome(result, with: .user)
    }
}

extension RekeyExchange: MessageService {
    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        let attempt = Attempt(device: call.device, code: call.request.envelope)
        let result = try await call.verifier.rekey(call.request.rekey, attempt)
        return try await call.outcome(result, with: .user)
    }
}
