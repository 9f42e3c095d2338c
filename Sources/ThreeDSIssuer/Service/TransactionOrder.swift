import Storage
import ThreeDSProtocol
import Transactions

/// A transaction that the verifier must create before a challenge can go on.
struct TransactionOrder: Sendable {
    let id: String
    /// Of the call at the verifier.
    let key: String
    let account: CardAccount
    let document: [UInt8]
}

/// The state of an order within one request of the shopper.
enum TransactionAttempt: Sendable {
    case notMade
    case made(Outcome, key: String)
    /// Its end was settled before.
    case settled

    enum Outcome: Sendable {
        case created(RequestedTransaction)
        /// The call created nothing; the next request tries again.
        case withoutEffect
        /// It is not known whether the verifier created it; the next request tries again.
        case failed
        /// The verifier will never create it.
        case refused(Challenge.Verdict)
    }
}

extension ChallengeStep {
    /// Notes the end of an attempt, before the request is applied.
    mutating func settle(_ attempt: TransactionAttempt) {
        // After the end of a transaction, a late attempt for it changes nothing.
        guard case .made(let outcome, let key) = attempt,
            key == challenge.orderKey(of: authentication.id)
        else { return }
        if case .withoutEffect = outcome, challenge.openOrders > 0 {
            change { $0.openOrders -= 1 }
        }
        guard challenge.progress.state == .asked, challenge.transaction == nil else { return }
        switch outcome {
        case .withoutEffect, .failed:
            let now = now
            change { $0.noteFailedOrder(at: now) }
        case .created(let transaction):
            let end = now + challenge.approvalTime
            change {
                $0.transaction = transaction
                $0.approvalEnd = end
                $0.orderDue = nil
                $0.progress.noteTransaction()
            }
            add(.asked, [transaction.id.text])
        case .refused(let verdict): _ = apply(.verdict(verdict))
        }
    }

    /// States what to order; nil if nothing is to be ordered now.
    ///
    /// The order is committed as open before it is sent. So after a crash, the ACS knows that there
    /// can be a transaction to withdraw.
    mutating func order(after attempt: TransactionAttempt) -> TransactionOrder? {
        guard case .notMade = attempt, challenge.progress.state == .asked,
            challenge.transaction == nil
        else { return nil }
        // Another content for a call that may have arrived would be refused.
        if challenge.openOrders == 0 {
            let left = challenge.progress.deadline - now.sinceStart
            change { $0.shorten(to: left) }
        }
        change { $0.openOrders += 1 }
        return challenge.order(of: authentication.id)
    }
}

extension IssuerService {
    /// Requests the transaction of a challenge; repeated, it finds the one that exists.
    func attempt(_ order: TransactionOrder) async -> TransactionAttempt {
        .made(await outcome(of: order), key: order.key)
    }

    private func outcome(of order: TransactionOrder) async -> TransactionAttempt.Outcome {
        do throws(VerifierFailure) {
            let transaction = try await untilItsEnd { () async throws(VerifierFailure) in
                try await verifier.request(order)
            }
            return .created(transaction)
        } catch {
            observer.report(.verifierFailed(error, authentication: order.id))
            if let verdict = error.verdict { return .refused(verdict) }
            return error.isWithoutEffect ? .withoutEffect : .failed
        }
    }
}

extension VerifierClient {
    /// Creates the transaction, or finds the one that an earlier call created.
    ///
    /// If the policy does not allow the address of the shop's app, the person returns by hand.
    func request(
        _ order: TransactionOrder
    ) async throws(VerifierFailure) -> RequestedTransaction {
        do throws(VerifierFailure) {
            return try await request(order.document, of: order.account, key: order.key)
        } catch {
            let document = ReturnURL.removed(from: order.document)
            guard let document,
                Self.codesOfOtherContent.contains(where: { error == .refused(code: $0) })
            else { throw error }
            return try await request(document, of: order.account, key: order.key)
        }
    }

    /// The second one if an earlier call has created the transaction without the address.
    private static let codesOfOtherContent = ["policyForbids", "idempotencyKeyReused"]
}

extension StoredChallenge {
    /// The call that creates the present transaction of an authentication.
    func order(of id: String) -> TransactionOrder {
        let sent = shortenedSeconds.map { RequestDocument.withSeconds($0, in: document) }
        return TransactionOrder(
            id: id,
            key: orderKey(of: id),
            account: account,
            document: sent ?? document
        )
    }

    /// No approval can follow the end of the challenge, unless less than the minimum of the bank's
    /// API is left.
    fileprivate mutating func shorten(to left: Duration) {
        let seconds = max(Int(left.components.seconds), Self.shortestApproval)
        let isShorter = RequestDocument.seconds(of: document).map { seconds < $0 } ?? false
        shortenedSeconds = isShorter ? seconds : nil
    }

    private static let shortestApproval = 30

    /// The key of the call that creates the present transaction of an authentication.
    ///
    /// A repeated call with the same key finds the transaction that exists.
    func orderKey(of id: String) -> String {
        let count = progress.requests.count
        return count > 1 ? "\(id).\(count)" : id
    }

    /// The lifetime of the transaction, as the order states it.
    fileprivate var approvalTime: Duration {
        .seconds(shortenedSeconds ?? RequestDocument.seconds(of: document) ?? 0)
    }
}
