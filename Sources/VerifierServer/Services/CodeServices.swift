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
        if case .accepted(let login?) = answer { return .done(Response(login: login)) }
        let kind = request.type.credentialKind
        let problem = try await api.problem(of: answer, to: sender.device, with: kind)
        // Every accepted login has a grant.
        return .refused(problem ?? .serverUnavailable)
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
        return Outcome(try await api.problem(of: answer, to: sender.device, with: .user))
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
        return Outcome(try await api.problem(of: answer, to: sender.device, with: .user))
    }
}

extension Outcome where Response == NoContent {
    init(_ problem: Problem?) {
        self = problem.map { .refused($0) } ?? .done(NoContent())
    }
}
