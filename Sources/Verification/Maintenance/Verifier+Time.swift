import Storage
import TransactionApproval

extension Verifier {
    /// Adds a record if the last one is old.
    ///
    /// So a verifier without other changes can be restarted within a day without an operator.
    package func recordTimeIfQuiet() async throws(Failure) {
        let last = try await read { ledger throws(StoreFailure) in
            try ledger.state().audit
        }
        let age = clock.now.elapsed(since: last.moment)
        // A new store has no time yet.
        guard last.sequence > 0, age > VerifierClock.maximumQuiet else { return }
        try await recordTime(by: .verifier)
    }

    package func recordTime(by author: ChangeAuthor) async throws(Failure) {
        try await change(by: author) { context throws(StoreFailure) in
            context.events.append(Event(.timeRecorded, of: "", in: nil))
        }
    }
}
