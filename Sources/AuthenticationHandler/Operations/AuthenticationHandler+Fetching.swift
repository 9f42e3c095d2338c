import TransactionApproval

/// What a person says to a transaction that is shown: it is used up by that one.
public enum UserDecision: ~Copyable, Sendable {
    case consent(typedNumber: String? = nil)
    case userPIN(PIN, typedNumber: String? = nil)
    case biometrics(typedNumber: String? = nil)
    case cancel(RejectionReason)
    /// Neither yes nor no: the person left, or nobody is there. The request goes on waiting.
    case undecided

    fileprivate var isUndecided: Bool {
        switch self {
        case .undecided: true
        default: false
        }
    }
}

/// What became of a request that was fetched and shown.
public struct ApprovalResult: Equatable, Sendable {
    /// What the bank was told.
    public enum Outcome: Equatable, Sendable {
        case approved(AuthenticationType)
        case rejected(RejectionReason)
        /// Nothing: what waits is shown again the next time.
        case undecided
    }

    /// Where the person goes from here.
    public enum WayBack: Equatable, Sendable {
        case notRequested
        case url(String)
        /// The address is none that the bank allows: the person goes back by hand.
        case refused
    }

    public let transactionID: String
    public let outcome: Outcome
    public let wayBack: WayBack

    public var isApproved: Bool {
        if case .approved = outcome { true } else { false }
    }
}

extension AuthenticationHandler {
    /// Fetches what waits longest, has the person confirm it, and decides: all in one.
    ///
    /// Where the person leaves it undecided, nothing is sent, and it is fetched again the next time.
    /// Nil where nothing waits. What comes a second time, by the bank's own name for it, is left
    /// alone: it is not shown, and neither approved nor rejected.
    public func fetchAuthnRequest(
        confirm: @Sendable (PendingTransaction) async -> UserDecision
    ) async throws(AuthenticationError) -> ApprovalResult? {
        let pending = try await pendingTransactions()
        let seen = try AuthenticationError.ofVault { () throws(Vault.Failure) in
            try vault.seenReferences()
        }
        guard let next = pending.first(where: { !seen.isRepeated($0.transaction) }) else {
            return nil
        }
        let wayBack = try wayBack(from: next)
        let decision = await confirm(next)
        let outcome = try await decide(decision, on: next)
        return ApprovalResult(transactionID: next.id, outcome: outcome, wayBack: wayBack)
    }

    /// Remembers what may have been decided here, and nothing else: what is left open, or was refused,
    /// is no repetition of anything, should the bank ask for it anew.
    private func decide(
        _ decision: consuming UserDecision,
        on pending: PendingTransaction
    ) async throws(AuthenticationError) -> ApprovalResult.Outcome {
        if decision.isUndecided { return .undecided }
        try await ofVault { locked throws(Vault.Failure) in
            try locked.remember(pending.transaction)
        }
        do throws(AuthenticationError) {
            return try await carryOut(decision, on: pending)
        } catch {
            if !error.mayFollowADecision {
                // What the verifier said is what counts: `try?`.
                try? await ofVault { locked throws(Vault.Failure) in
                    try locked.forget(pending.transaction)
                }
            }
            throw error
        }
    }

    private func carryOut(
        _ decision: consuming UserDecision,
        on pending: PendingTransaction
    ) async throws(AuthenticationError) -> ApprovalResult.Outcome {
        switch consume decision {
        case .consent(let number):
            try await authenticateUsingConsent(pending, typedNumber: number)
            return .approved(.consent)
        case .userPIN(let pin, let number):
            try await authenticateUsingUserPIN(pending, pin: pin, typedNumber: number)
            return .approved(.userPIN)
        case .biometrics(let number):
            try await authenticateUsingBiometrics(pending, typedNumber: number)
            return .approved(.biometric)
        case .cancel(let reason):
            try await cancelTransaction(pending, reason: reason)
            return .rejected(reason)
        case .undecided:
            return .undecided
        }
    }

    private func ofVault(
        _ change: (borrowing LockedVault) throws(Vault.Failure) -> Void
    ) async throws(AuthenticationError) {
        let locked = try await lockedVault()
        try AuthenticationError.ofVault { () throws(Vault.Failure) in try change(locked) }
    }

    private func wayBack(
        from pending: PendingTransaction
    ) throws(AuthenticationError) -> ApprovalResult.WayBack {
        guard let url = pending.transaction.returnURL else { return .notRequested }
        let allowed = try account(pending.device).record.policy.returnAddresses
        return allowed.contains(ReturnAddress(of: url)) ? .url(url.text) : .refused
    }
}

extension AuthenticationError {
    /// Whether a decision of this device may stand all the same.
    fileprivate var mayFollowADecision: Bool {
        switch code {
        case .serverUnavailable, .transactionAlreadyDecided: true
        case .vaultDamaged, .vaultLocked, .vaultUnavailable, .deviceSecretMissing: true
        default: leavesResultUnknown
        }
    }
}
