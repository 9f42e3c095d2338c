import Storage
import TransactionApproval

/// The end of a batch in a pass over all due rows.
package struct ExpiryPlace: Equatable, Sendable {
    fileprivate var transactions = OpenPlace.start
    fileprivate var activations = OpenPlace.start

    /// The start of a pass.
    package init() {}
}

/// One batch of a pass over all due rows.
package struct ExpiryBatch: Equatable, Sendable {
    /// The number of transactions and activations that were closed.
    package let closed: Int
    /// The place of the next batch; nil at the end of the pass.
    package let next: ExpiryPlace?
}

extension Verifier {
    /// Closes late transactions and old activations, and erases their secrets.
    ///
    /// A deadline holds even if this never runs. A batch has up to `limit` rows of each kind. A
    /// forged row stays open, so a pass continues behind it. The alarm names it.
    package func expire(
        atMost limit: Int,
        after place: ExpiryPlace
    ) async throws(Failure) -> ExpiryBatch {
        try await change(by: .verifier) { context throws(StoreFailure) in
            let transactions = try context.closeTransactions(
                as: .expired,
                .transactionExpired,
                until: context.now,
                after: place.transactions,
                atMost: limit
            )
            let activations = try context.closeActivations(
                as: .expired,
                until: context.now - Activation.afterlife,
                after: place.activations,
                atMost: limit
            )
            var next = place
            next.transactions = transactions.last ?? place.transactions
            next.activations = activations.last ?? place.activations
            return ExpiryBatch(
                closed: transactions.closed + activations.closed,
                next: transactions.isFull || activations.isFull ? next : nil
            )
        }
    }
}

extension ChangeContext {
    /// Ends a transaction without a decision.
    mutating func close(
        _ id: TransactionID,
        as outcome: TransactionRecord.Outcome,
        _ kind: Event.Kind
    ) throws(StoreFailure) {
        guard let old = try ledger.transaction(id) else { return }
        var new = old
        guard new.close(as: outcome, at: now) else { return }
        try ledger.save(new)
        events.append(Event(kind, of: id, in: new.account))
    }
}
