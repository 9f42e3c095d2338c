import TransactionApproval

extension Verifier {
    /// Closes late transactions and old activations, and erases their secrets.
    ///
    /// A deadline holds even if this never runs. It closes up to `limit` of each, and returns how
    /// many; 0 means that none is left.
    package func expire(atMost limit: Int) async throws(Failure) -> Int {
        try await change(by: .verifier) { scene throws(StoreFailure) in
            let transactions = try scene.ledger.dueTransactions(at: scene.now, limit: limit)
            for id in transactions { try scene.close(id, as: .expired, .transactionExpired) }
            let activations = try scene.ledger.dueActivations(
                until: scene.now - Activation.afterlife,
                limit: limit
            )
            for id in activations { try scene.close(id, as: .expired) }
            return transactions.count + activations.count
        }
    }
}

extension ChangeScene {
    /// Ends a transaction without a decision.
    mutating func close(
        _ id: TransactionID,
        as outcome: TransactionRecord.Outcome,
        _ kind: Event.Kind
    ) throws(StoreFailure) {
        guard let old = try ledger.transaction(id) else { return }
        var new = old
        guard new.close(as: outcome, at: now) else { return }
        try ledger.save(new, replacing: old)
        events.append(Event(kind, of: id, in: new.account))
    }
}
