import TransactionApproval

extension Verifier {
    /// Takes a batch of what is over from the tables that decisions look at.
    ///
    /// It gives how many rows went; none means that nothing was left to do. A batch is short, so
    /// that decisions go on in between.
    package func tidy(
        by retention: Retention = .standard,
        batch limit: Int = 500
    ) async throws(Failure) -> Int {
        try await write { [clock] ledger throws(StoreFailure) in
            let now = clock.now(in: try ledger.state())
            var count = 0
            count += try ledger.archiveTransactions(
                before: now - retention.transactions,
                limit: limit
            )
            count += try ledger.deleteAttempts(before: now - retention.attempts, limit: limit)
            count += try ledger.deleteCalls(before: now - retention.attempts, limit: limit)
            count += try ledger.deleteLogins(before: now - retention.logins, limit: limit)
            count += try ledger.deleteDeliveries(before: now - retention.deliveries, limit: limit)
            count += try ledger.deleteActivations(
                before: now - retention.activations,
                limit: limit
            )
            return count
        }
    }
}

extension Verifier {
    /// Has the journal sign all that is committed; nothing where there is none.
    package func checkpoint() async throws(Failure) {
        guard let journal else { return }
        do throws(JournalFailure) {
            try await journal.checkpoint()
        } catch {
            throw .journal(error)
        }
    }
}
