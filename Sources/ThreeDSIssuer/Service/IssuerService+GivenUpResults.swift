package import Storage
import ThreeDSProtocol
import Transactions

extension IssuerService {
    /// The outcome of sending a result by hand.
    package enum Resending: Equatable, Sendable {
        case delivered
        case failed(reason: String)
        /// The directory will never accept it; with the code of its error message.
        case refused(code: String)
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
            let reason: String
            switch try await deliverOnce(authentication) {
            case .taken: return .delivered
            case .refused(let code): return .refused(code: code)
            case .unacknowledged(let fault):
                reason = "no valid response came (error \(fault.code.rawValue))"
            case .failed(let cause): reason = cause
            }
            _ = try await step(at: .id(id)) { step throws(StoreFailure) in
                if step.challenge.resultDue != nil { step.giveUpResult() }
            }
            return .failed(reason: reason)
        }
    }
}
