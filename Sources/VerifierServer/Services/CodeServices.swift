import Cryptography
import TransactionApproval
import Verification

extension LoginExchange: MessageService {
    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response> {
        let answer = try await api.verifier.logIn(
            over: request.dataDigest.array,
            by: request.type,
            Attempt(device: sender.device, code: request.envelope)
        )
        switch answer {
        case .accepted(let login?): return .done(Response(login: login))
        // Every accepted login has a grant.
        case .accepted(nil): return .refused(.serverUnavailable)
        case .refused(let refusal):
            let kind = request.type.credentialKind
            return .refused(try await api.problem(refusal, to: sender.device, with: kind))
        }
    }
}

extension PINCheckExchange: MessageService {
    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response> {
        let attempt = Attempt(device: sender.device, code: request.envelope)
        let answer = try await api.verifier.checkPIN(attempt)
        return try await api.outcome(of: answer, to: sender.device, with: .user)
    }
}

extension RekeyExchange: MessageService {
    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response> {
        let attempt = Attempt(device: sender.device, code: request.envelope)
        let answer = try await api.verifier.rekey(request.rekey, attempt)
        return try await api.outcome(of: answer, to: sender.device, with: .user)
    }
}
