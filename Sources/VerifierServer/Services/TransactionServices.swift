import TransactionApproval
import Verification

extension TransactionListExchange: MessageService {
    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        switch try await call.verifier.pendingTransactions(for: call.device) {
        case .found(let ids): .done(Response(transactions: ids))
        case .refused(let refusal): .refused(try await call.problem(refusal))
        }
    }
}

extension TransactionExchange: MessageService {
    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        switch try await call.verifier.transaction(call.request.transaction, for: call.device) {
        case .found(let pending):
            .done(
                Response(canonicalBytes: pending.canonicalBytes, typedDigits: pending.typedDigits)
            )
        case .refused(let refusal): .refused(try await call.problem(refusal))
        }
    }
}

extension DecisionExchange: MessageService {
    static func outcome(of call: Call) async throws(Verifier.Failure) -> Outcome<Response> {
        let result = try await call.verifier.decide(
            call.request,
            from: call.device,
            signedBy: call.key
        )
        return try await call.outcome(result, with: call.request.choice.credentialKind)
    }
}
