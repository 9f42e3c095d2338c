import Cryptography
import FailureTranslation
import TransactionApproval

extension AuthenticationHandler {
    /// Fetches the oldest pending transaction, prompts the person, and sends the decision.
    ///
    /// Returns nil if nothing is pending; if an account has a failure then, throws it, as
    /// `pendingTransaction()` does. An undecided transaction is fetched again by the next
    /// call. A transaction is ignored if it has the bank's reference of an earlier transaction that
    /// was, or may have been, decided.
    public func decideNextTransaction(
        confirm: @Sendable (PendingTransaction) async -> UserDecision
    ) async throws(AuthenticationError) -> ApprovalResult? {
        guard let next = try await nextTransaction() else { return nil }
        let redirect = try redirect(after: next)
        let decision = await confirm(next)
        let outcome = try await decide(decision, on: next)
        return ApprovalResult(transactionID: next.id, outcome: outcome, redirect: redirect)
    }

    /// The oldest pending transaction that does not repeat a decided one.
    ///
    /// Throws if there is none, and those of an account are unknown.
    private func nextTransaction() async throws(AuthenticationError) -> PendingTransaction? {
        let found = try await pendingTransactions()
        for pending in found.transactions {
            let server = try account(pending.device).record.server
            var isRepeated = false
            for earlier in try seenReferences().repeated(by: pending.transaction, at: server) {
                if try await mayBeDecided(earlier, by: pending.device) {
                    isRepeated = true
                } else {
                    try await forget(earlier, at: server)
                }
            }
            if !isRepeated { return pending }
        }
        if let failure = found.firstFailure { throw failure }
        return nil
    }

    /// False if the verifier ended the transaction without a decision of the person, for example
    /// because it never received one.
    private func mayBeDecided(
        _ id: TransactionID,
        by device: DeviceID
    ) async throws(AuthenticationError) -> Bool {
        do throws(AuthenticationError) {
            _ = try await fetch(id, for: try account(device))
            return true
        } catch  where error.code == .transactionExpired {
            return false
        } catch  where error.code == .transactionAlreadyDecided {
            return [.approved, .rejected].contains(error.finalState)
        } catch  where error.code == .unknownTransaction {
            // It can be one of another account with the same bank.
            return true
        }
    }

    private func seenReferences() throws(AuthenticationError) -> SeenReferences {
        try translating(vault.seenReferences(), to: AuthenticationError.init(vault:))
    }

    private func forget(
        _ id: TransactionID,
        at server: ServerOrigin
    ) async throws(AuthenticationError) {
        try await changeVault { locked throws(Vault.Failure) in try locked.forget(id, at: server) }
    }

    /// Remembers the reference only if the transaction may have been decided: the bank can repeat a
    /// request that was left open or refused.
    private func decide(
        _ decision: consuming UserDecision,
        on pending: PendingTransaction
    ) async throws(AuthenticationError) -> ApprovalResult.Outcome {
        if decision.isUndecided { return .undecided }
        let server = try account(pending.device).record.server
        try await changeVault { locked throws(Vault.Failure) in
            try locked.remember(pending.transaction, at: server)
        }
        do throws(AuthenticationError) {
            return try await send(decision, on: pending)
        } catch {
            if !error.mayFollowADecision {
                // The error to report is the one of the decision: `try?`.
                try? await forget(pending.transaction.id, at: server)
            }
            throw error
        }
    }

    private func send(
        _ decision: consuming UserDecision,
        on pending: PendingTransaction
    ) async throws(AuthenticationError) -> ApprovalResult.Outcome {
        switch consume decision {
        case .approve(let method, let number):
            let type = method.type
            try await approve(pending, with: method, typedNumber: number)
            return .approved(type)
        case .reject(let reason):
            try await reject(pending, reason: reason)
            return .rejected(reason)
        case .undecided:
            return .undecided
        }
    }

    /// The address at which the person continues after a decision on this transaction.
    public func redirect(
        after pending: PendingTransaction
    ) throws(AuthenticationError) -> ApprovalResult.Redirect {
        guard let url = pending.transaction.returnURL else { return .notRequested }
        let policy = try account(pending.device).record.policy
        return policy.allows(url) ? .url(url.text) : .notAllowed
    }
}

extension AuthenticationError {
    /// Whether the verifier may have accepted the decision.
    fileprivate var mayFollowADecision: Bool {
        code == .transactionAlreadyDecided || mayFollowSuccess
    }
}

extension UserDecision {
    fileprivate var isUndecided: Bool {
        switch self {
        case .undecided: true
        default: false
        }
    }
}
