import TransactionApproval

/// A person's decision on a transaction that was shown.
public enum UserDecision: ~Copyable, Sendable {
    case approve(with: AuthenticationMethod, typedNumber: String? = nil)
    case reject(RejectionReason)
    /// The person does not decide now. The transaction remains pending.
    case undecided
}
