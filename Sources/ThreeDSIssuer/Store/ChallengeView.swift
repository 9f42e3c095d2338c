package import ThreeDSProtocol
package import Transactions

/// A challenge as operators see it.
///
/// It has identifiers and states only: no purchase, no data of a shop or a device, and no key.
package struct ChallengeView: Sendable {
    package let id: String
    package let ids: TransactionIDs
    package let directory: String
    package let version: ProtocolVersion
    package let flow: Challenge.Flow
    package let made: Timestamp
    package let state: State
    /// Nil until the challenge is decided.
    package let result: DecidedResult?
    /// The number of failed attempts to send the result.
    package let failures: Int
    /// The transaction of the verifier; nil until it exists.
    package let transaction: TransactionID?
    package let card: CardReference?

    package enum State: String, CaseIterable, Encodable, Sendable {
        /// The first message of the shopper's device is awaited.
        case promised
        /// The person has the request.
        case asked
        /// The request expired, and the shopper can request another one.
        case unanswered
        /// The transaction at the verifier is being withdrawn.
        case withdrawing
        /// The directory server does not have the result yet.
        case undelivered
        /// The directory server has the result.
        case reported
        case ended
        /// The directory server did not take the result in time.
        case givenUp
        /// The directory server refused the result.
        case refused
        /// No valid response to the result came in time.
        case unacknowledged
    }
}

extension ChallengeView {
    /// Whether something is still to happen.
    package var isPending: Bool {
        switch state {
        case .promised, .asked, .unanswered, .withdrawing, .undelivered: true
        case .reported, .ended, .givenUp, .refused, .unacknowledged: false
        }
    }

    /// Nil for an authentication without a challenge.
    init?(_ authentication: Authentication) {
        guard let challenge = authentication.challenge else { return nil }
        let facts = authentication.facts
        (id, ids, version) = (authentication.id, facts.ids, facts.version)
        (directory, made) = (authentication.directory.text, authentication.made)
        (transaction, card) = (challenge.latestTransaction, authentication.card)
        flow = challenge.progress.flow
        state = State(challenge)
        (result, failures) = (challenge.result, challenge.failedResults)
    }
}

extension ChallengeView.State {
    init(_ challenge: StoredChallenge) {
        self =
            switch challenge.progress.state {
            case .promised: .promised
            case .asked: .asked
            case .unanswered: .unanswered
            case .withdrawing: .withdrawing
            // Also a result that is sent by hand.
            case _ where challenge.resultDue != nil: .undelivered
            case .decided: .givenUp
            case .reported: Self(challenge.endOfDelivery) ?? .reported
            case .ended: Self(challenge.endOfDelivery) ?? .ended
            }
    }

    private init?(_ end: StoredChallenge.EndOfDelivery?) {
        switch end {
        case nil: return nil
        case .refused?: self = .refused
        case .unacknowledged?: self = .unacknowledged
        }
    }
}
