import TransactionApproval

/// The result of a transaction that was fetched and shown.
public struct ApprovalResult: Equatable, Sendable {
    public enum Outcome: Equatable, Sendable {
        case approved(AuthenticationType)
        case rejected(RejectionReason)
        /// Nothing was sent; the next call shows the transaction again.
        case undecided
    }

    /// The address at which the person continues.
    public enum Redirect: Equatable, Sendable {
        case notRequested
        case url(String)
        /// The address is not in the bank's list of return addresses; do not open it.
        case notAllowed
    }

    public let transactionID: String
    public let outcome: Outcome
    public let redirect: Redirect

    public var isApproved: Bool {
        if case .approved = outcome { true } else { false }
    }
}
