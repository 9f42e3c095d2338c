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
    /// Notes that the transaction expired: another one follows later, or the challenge ends.
    mutating func noteUnanswered() {
        _ = apply(.unanswered)
        guard challenge.progress.state == .asked else { return }
        change { challenge in
            challenge.transaction = nil
            challenge.approvalEnd = nil
            challenge.openOrders = 0
        }
    }
}

extension StoredChallenge {
    /// The key of the call that creates the present transaction of an authentication.
    ///
    /// A repeated call with the same key finds the transaction that exists.
    func orderKey(of id: String) -> String {
        let count = progress.requests.count
        return count > 1 ? "\(id).\(count)" : id
    }
}
