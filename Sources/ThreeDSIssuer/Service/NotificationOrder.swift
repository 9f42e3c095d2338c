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
    /// Notifies the person, and finds out whether they were notified if the response was lost.
    func notify(_ order: NotificationOrder) async -> NotificationReport {
        let start = ContinuousClock.now
        do throws(VerifierFailure) {
            return try await attempt(order)
        } catch {
            observer.report(.verifierFailed(error, authentication: order.id))
            guard error.isResponseLost, ContinuousClock.now - start < Self.timeToRepeat else {
                return .unavailable
            }
        }
        do throws(VerifierFailure) {
            // The rules of the verifier hold for both calls, so the person is not notified twice.
            return try await attempt(order)
        } catch {
            observer.report(.verifierFailed(error, authentication: order.id))
            return .unavailable
        }
    }

    /// After a longer first call, an app would not get its response within ten seconds.
    private static let timeToRepeat = Duration.seconds(2)

    private func attempt(
        _ order: NotificationOrder
    ) async throws(VerifierFailure) -> NotificationReport {
        try await untilItsEnd { () async throws(VerifierFailure) in
            try await verifier.notify(of: order.transaction, of: order.account)
        }
    }
}
