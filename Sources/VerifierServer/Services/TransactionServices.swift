import Cryptography
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
        let answer = try await api.verifier.decide(
            request.choice,
            on: request.transaction,
            try await evidence(in: request, from: sender, api.verifier),
            Attempt(device: sender.device, code: request.envelope)
        )
        let kind = request.choice.credentialKind
        return Outcome(try await api.problem(of: answer, to: sender.device, with: kind))
    }

    /// Nil where the device signed something else, or there is no such transaction: which of both,
    /// the verifier says, and first what it said to the same attempt before.
    private static func evidence(
        in request: Request,
        from sender: Sender,
        _ verifier: Verifier
    ) async throws(Verifier.Failure) -> SignedEvidence? {
        guard
            let hash = try await verifier.hash(of: request.transaction, for: sender.device)
        else { return nil }
        let evidence = DecisionEvidence(
            of: request.choice,
            on: hash,
            by: sender.device,
            request.envelope
        )
        do throws(CryptographyFailure) {
            return try evidence.signed(with: request.evidence, by: sender.key)
        } catch {
            throw .machine(SystemFailure(error))
        }
    }
}
