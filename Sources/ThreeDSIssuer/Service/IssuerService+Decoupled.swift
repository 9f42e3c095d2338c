import Storage
import ThreeDSProtocol
import Transactions

extension IssuerService {
    /// Creates the transaction of a challenge that no message of a shopper begins.
    func order(_ found: Authentication) async {
        await reporting { () throws(StoreFailure) in
            let place = ChallengeStep.Place.id(found.id)
            let order = try await step(at: place) { step throws(StoreFailure) in
                step.order(after: .notMade)
            }
            guard let order = order ?? nil else { return }
            let attempt = await attempt(order)
            _ = try await step(at: place) { step throws(StoreFailure) in step.settle(attempt) }
        }
    }
}

extension ChallengeStep {
    /// Notes that the transaction expired: another one can follow, or the challenge ends.
    mutating func noteUnanswered() {
        _ = apply(.unanswered)
        switch challenge.progress.state {
        case .asked, .unanswered:
            change { challenge in
                challenge.expiredTransaction = challenge.latestTransaction
                challenge.transaction = nil
                challenge.shortenedSeconds = nil
                challenge.orderDue = nil
                challenge.approvalEnd = nil
                challenge.openOrders = 0
            }
        case .promised, .withdrawing, .decided, .reported, .ended: break
        }
    }
}
