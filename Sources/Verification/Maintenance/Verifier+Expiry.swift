import Storage
import TransactionApproval

extension Verifier {
    /// Closes late transactions and old activations, and erases their secrets.
    ///
    /// A deadline holds even if this never runs. It closes up to `limit` of each, and returns how
    /// many; 0 means that none is left.
    package func expire(atMost limit: Int) async throws(Failure) -> Int {
        try await change(by: .verifier) { context throws(StoreFailure) in
            let transactions = try context.ledger.dueTransactions(at: context.now, limit: limit)
            for id in transactions { try context.close(id, as: .expired, .transactionExpired) }
            let activations = try context.ledger.dueActivations(
                until: context.now - Activation.afterlife,
                limit: limit
            )
            for id in activations { try context.close(id, as: .expired) }
            return transactions.count + activations.count
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
