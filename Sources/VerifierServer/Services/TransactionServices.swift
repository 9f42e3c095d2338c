import OneTimePassword
import TransactionApproval
import Verification

extension TransactionListExchange: MessageService {
    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response> {
        switch try await api.verifier.pendingTransactions(for: sender.device) {
        case .found(let ids): .done(Response(transactions: ids))
        case .refused(let refusal): .refused(try await api.problem(refusal, to: sender.device))
        }
    }
}

extension TransactionExchange: MessageService {
    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response> {
        switch try await api.verifier.transaction(request.transaction, for: sender.device) {
        case .found(let pending):
            .done(Response(transaction: pending.transaction, typedDigits: pending.typedDigits))
        case .refused(let refusal): .refused(try await api.problem(refusal, to: sender.device))
        }
    }
}

extension DecisionExchange: MessageService {
    static func outcome(
        of request: Request,
        from sender: Sender,
        by api: DeviceAPI
    ) async throws(Verifier.Failure) -> Outcome<Response> {
        let result = try await api.verifier.decide(request, from: sender.device)
        let kind = request.choice.credentialKind
        return try await api.outcome(of: result, to: sender.device, with: kind)
    }
}
