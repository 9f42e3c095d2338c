import Cryptography
import OneTimePassword
package import TransactionApproval

/// A transaction as the verifier keeps it, from the bank's request to its end.
package struct TransactionRecord: Equatable, Sendable {
    package enum State: Equatable, Sendable {
        case pending
        case closed(Outcome, at: Timestamp)
    }

    /// How it ended; nothing moves it any more.
    package enum Outcome: Equatable, Sendable {
        case approved(with: AuthenticationType, by: DeviceID)
        case rejected(RejectionReason, by: DeviceID)
        case expired
        /// The bank took it back.
        case withdrawn
        /// It was pending when the verifier was restored from a backup.
        case void
    }

    package let id: TransactionID
    package let account: AccountReference
    /// What was shown and signed, byte for byte.
    package let canonicalBytes: [UInt8]
    package let acceptedAuthentication: AuthenticationTypes
    package let created: Timestamp
    package let deadline: Timestamp
    /// What the bank shows and the person types, where the enterprise asks for that; kept for as
    /// long as it is good for anything.
    package private(set) var number: SealedValue?
    package private(set) var state: State
    /// What the device signed of the decision that ended it, as it is stored.
    package private(set) var evidence: [UInt8]?

    package init(
        id: TransactionID,
        account: AccountReference,
        canonicalBytes: [UInt8],
        acceptedAuthentication: AuthenticationTypes,
        created: Timestamp,
        deadline: Timestamp,
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
        self.number = number
        self.state = state
        self.evidence = evidence
    }

    /// One as it begins.
    init(_ transaction: Transaction, number: SealedValue?) {
        self.init(
            id: transaction.id,
            account: AccountReference(
                enterprise: transaction.enterprise,
                key: transaction.account
            ),
            canonicalBytes: transaction.canonicalBytes,
            acceptedAuthentication: transaction.acceptedAuthentication,
            created: transaction.created,
            deadline: transaction.deadline,
            number: number,
            state: .pending
        )
    }

    /// Ends a pending transaction; false where it had ended before.
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
        do throws(CryptographyFailure) {
            return try TransactionHash(ofCanonicalBytes: canonicalBytes)
        } catch {
            throw SystemFailure(error)
        }
    }

    /// Why no decision is taken any more.
    func refusal(at now: Timestamp) -> Refusal? {
        switch state {
        case .closed(.expired, _): .transactionExpired
        case .closed(let outcome, _): .alreadyDecided(outcome)
        case .pending: now < deadline ? nil : .transactionExpired
        }
    }
}
