import Storage
import TransactionApproval

extension Verifier {
    /// Removes a batch of old rows from the tables that decisions read.
    ///
    /// Returns the number of rows; 0 means that none is left. Batches are short, so that decisions
    /// can run in between.
    package func tidy(
        by retention: Retention = .default,
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
    /// Makes the journal sign everything that is committed, if there is a journal.
    package func checkpoint() async throws(Failure) {
        guard let journal else { return }
        do throws(JournalFailure) {
            try await journal.checkpoint()
        } catch {
            throw .journal(error)
        }
    }
}
