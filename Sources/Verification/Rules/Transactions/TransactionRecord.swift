import Cryptography
import FailureTranslation
package import Sealing
package import TransactionApproval

/// A transaction in the store, from the bank's request to its end.
package struct TransactionRecord: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case pending
        case closed(Outcome, at: Timestamp)
    }

    /// The final state of a transaction.
    package enum Outcome: Equatable, Sendable {
        case approved(with: AuthenticationType, by: DeviceID)
        case rejected(RejectionReason, by: DeviceID)
        case expired
        /// The bank withdrew it.
        case withdrawn
        /// It was pending when the verifier was restored from a backup.
        case void
    }

    package let id: TransactionID
    package let account: AccountReference
    /// The bytes that were shown and signed.
    package let canonicalBytes: [UInt8]
    package let acceptedAuthentication: AuthenticationTypes
    package let created: Timestamp
    package let deadline: Timestamp
    package let source: RequestSource
    /// The number that the bank shows and the person types, if the policy requires it; erased at
    /// the end.
    package private(set) var number: SealedValue?
    package private(set) var state: State
    /// The device's signed evidence of the decision that ended it.
    package private(set) var evidence: [UInt8]?

    package init(
        id: TransactionID,
        account: AccountReference,
        canonicalBytes: [UInt8],
        acceptedAuthentication: AuthenticationTypes,
        created: Timestamp,
        deadline: Timestamp,
        source: RequestSource,
        number: SealedValue?,
        state: State,
        evidence: [UInt8]? = nil
    ) {
        self.id = id
        self.account = account
        self.canonicalBytes = canonicalBytes
        self.acceptedAuthentication = acceptedAuthentication
        self.created = created
        self.deadline = deadline
        self.source = source
        self.number = number
        self.state = state
        self.evidence = evidence
    }

    /// A new, pending transaction.
    init(_ transaction: Transaction, from source: RequestSource, number: SealedValue?) {
        self.init(
            id: transaction.id,
            account: AccountReference(enterprise: transaction.enterprise, key: transaction.account),
            canonicalBytes: transaction.canonicalBytes,
            acceptedAuthentication: transaction.acceptedAuthentication,
            created: transaction.created,
            deadline: transaction.deadline,
            source: source,
            number: number,
            state: .pending
        )
    }

    /// Ends a pending transaction; returns false if it had ended before.
    @discardableResult
    package mutating func close(
        as outcome: Outcome,
        at now: Timestamp,
        _ evidence: SignedEvidence? = nil
    ) -> Bool {
        guard state == .pending else { return false }
        state = .closed(outcome, at: now)
        self.evidence = evidence?.stored
        number = nil
        return true
    }

    func hash() throws(SystemFailure) -> TransactionHash {
        try translating(
            TransactionHash(ofCanonicalBytes: canonicalBytes),
            to: SystemFailure.init(_:)
        )
    }

    /// Checks whether a decision is still accepted.
    func checkPending(at now: Timestamp) -> RuleResult<Refusal> {
        switch state {
        case .closed(.expired, _): .refused(.transactionExpired)
        case .closed(let outcome, _): .refused(.alreadyDecided(outcome))
        case .pending: now < deadline ? .accepted : .refused(.transactionExpired)
        }
    }
}
