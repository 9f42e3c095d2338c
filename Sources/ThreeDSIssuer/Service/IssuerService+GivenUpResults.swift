package import Storage
import Transactions

extension IssuerService {
    /// The outcome of sending a result by hand.
    package enum Resending: Equatable, Sendable {
        case delivered
        case failed(reason: String)
        /// Only a result that the ACS no longer sends is sent by hand.
        case notGivenUp(ChallengeView.State)
        case noChallenge
    }

    private enum Claim: Sendable {
        case taken(Authentication)
        case notGivenUp(ChallengeView.State)
    }

    /// Sends a result once more that was given up or not acknowledged.
    ///
    /// Nodes that run leave it alone meanwhile. If this process is killed, one of them sends it.
    package func sendAgain(_ id: String) async throws(StoreFailure) -> Resending {
        let claim = try await step(at: .id(id)) { step throws(StoreFailure) in
            let state = ChallengeView.State(step.challenge)
            guard state == .givenUp || state == .unacknowledged else {
                return Claim.notGivenUp(state)
            }
            let end = step.now + lease(of: step.authentication)
            step.change { $0.resultDue = end }
            step.add(.sentAgain, [])
            return .taken(step.authentication)
        }
        switch claim {
        case nil: return .noChallenge
        case .notGivenUp(let state)?: return .notGivenUp(state)
        case .taken(let authentication)?:
            guard let reason = try await deliverOnce(authentication) else { return .delivered }
            _ = try await step(at: .id(id)) { step throws(StoreFailure) in
                if step.challenge.resultDue != nil { step.giveUpResult() }
            }
            return .failed(reason: reason)
        }
    }
}
