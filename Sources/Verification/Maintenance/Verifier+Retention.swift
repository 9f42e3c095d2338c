import Storage
import TransactionApproval

extension Verifier {
    /// Removes a batch of old rows from the tables that decisions read.
    ///
    /// Returns the number of rows; 0 means that none is left. Batches are short, so that decisions
    /// can run in between.
    package func applyRetention(
        by retention: Retention = .default,
        batch limit: Int = 500
    ) async throws(Failure) -> Int {
        try await write { [clock] ledger throws(StoreFailure) in
            let state = try ledger.state()
            let now = clock.now(in: state)
            var count = 0
            count += try ledger.archiveTransactions(
                before: now - retention.transactions,
                limit: limit
            )
            for (delete, age) in [
                (Statement.deleteOldAttempts, retention.attempts),
                (.deleteOldCalls, retention.attempts),
                (.deleteOldRequests, retention.attempts),
                (.deleteOldLogins, retention.logins),
                (.deleteOldDeliveries, retention.deliveries),
                (.deleteOldActivations, retention.activations),
            ] {
                count += try ledger.delete(delete, before: now - age, limit: limit)
            }
            // An audit knows from the last record which rows must still exist.
            if count > 0, now > state.audit.moment + VerifierClock.maximumQuiet {
                let event = Event(.timeRecorded, of: "", in: nil)
                try ledger.record([event], by: .verifier, at: now, after: state.audit)
            }
            return count
        }
    }
}

extension Verifier {
    /// Makes the journal sign everything that is committed, if there is a journal.
    ///
    /// A failure of the journal alone is not an outage yet: changes that it need not contain can still
    /// succeed.
    package func checkpoint() async throws(Failure) {
        guard let journal else { return }
        do throws(JournalFailure) {
            try await journal.checkpoint()
        } catch {
            forgeries.note(error)
            // As for each other read: this one can be the only one that fails.
            if case .store(let failure) = error { outages.note(.store(failure)) }
            throw .journal(error)
        }
    }
}
