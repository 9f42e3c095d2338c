import ThreeDSProtocol
import Transactions

/// Another notification of a transaction, which the shopper wants.
struct NotificationOrder: Sendable {
    let id: String
    let account: CardAccount
    let transaction: TransactionID
}

extension ChallengeStep {
    /// Nil if no action needs it, or if there is no transaction yet.
    func notification(for actions: [Challenge.Action]) -> NotificationOrder? {
        guard actions.contains(.notifyAgain), let transaction = challenge.transaction else {
            return nil
        }
        return NotificationOrder(
            id: authentication.id,
            account: challenge.account,
            transaction: transaction.id
        )
    }
}

extension IssuerService {
    func notify(_ order: NotificationOrder) async -> NotificationReport {
        do throws(VerifierFailure) {
            return try await untilItsEnd { () async throws(VerifierFailure) in
                try await verifier.notify(of: order.transaction, of: order.account.key)
            }
        } catch {
            observer.report(.verifierFailed(error, authentication: order.id))
            return .unavailable
        }
    }
}
