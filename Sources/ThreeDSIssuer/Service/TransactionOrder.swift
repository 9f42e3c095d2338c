import Storage
import StrictJSON
import ThreeDSProtocol
import Transactions

/// A transaction that the verifier must create before a challenge can go on.
struct TransactionOrder: Sendable {
    let id: String
    let account: CardAccount
    let document: JSONValue
}

/// The state of an order within one request of the shopper.
enum TransactionAttempt: Sendable {
    case notMade
    case created(RequestedTransaction)
    /// The verifier did not create it; the next request tries again.
    case failed
}

extension ChallengeStep {
    /// Notes the transaction, or states what to order; nil if nothing is to be ordered.
    ///
    /// The challenge is committed as asked before the order is made. So after a crash, the ACS knows
    /// that there can be a transaction to withdraw.
    mutating func order(
        after attempt: TransactionAttempt,
        returningTo address: ReturnURL? = nil
    ) -> TransactionOrder? {
        guard challenge.progress.state == .asked, challenge.transaction == nil else { return nil }
        switch attempt {
        case .notMade:
            let document = address?.added(to: challenge.document) ?? challenge.document
            return TransactionOrder(
                id: authentication.id,
                account: challenge.account,
                document: document
            )
        case .created(let transaction):
            let end = now + challenge.approvalTime
            change {
                $0.transaction = transaction
                $0.approvalEnd = end
            }
            return nil
        case .failed: return nil
        }
    }
}

extension IssuerService {
    /// Requests the transaction of a challenge; repeated, it finds the one that exists.
    func attempt(_ order: TransactionOrder) async -> TransactionAttempt {
        do throws(VerifierFailure) {
            let account = order.account.key
            return .created(try await verifier.request(order.document, of: account, key: order.id))
        } catch {
            observer.report(.verifierFailed(error))
            return .failed
        }
    }
}

extension StoredChallenge {
    /// The lifetime of the transaction, as the order states it.
    fileprivate var approvalTime: Duration {
        guard case .number(let number)? = document["seconds"], let seconds = number.integer(Int.self)
        else { return .zero }
        return .seconds(seconds)
    }
}
