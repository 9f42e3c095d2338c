import Cryptography
import FailureTranslation
import Sealing
import Storage
import TransactionApproval

// How a decision is committed, from the outer layer to the inner one and back:
//
// 1. `write(loading:opening:)` gets the closures of the use case; `write` gets only the last one.
// 2. `commit` notes outages, and rows that another program wrote.
// 3. `commitWithJournal` derives the key of row tags and calls `database.write`.
// 4. Before the transaction that writes, `load` reads rows and `open` decrypts their secrets.
// 5. In that transaction, `confirmed` uses up the confirmation by a second token, if the call needs
//    one. Then `work` applies the rules, and writes rows and audit records through its `Ledger`.
// 6. After the commit, the verifier remembers the head of the audit trail and the rows that it saw.
// 7. `settle` waits until the journal has the events and the head. Then the outcome is returned.

extension Verifier {
    /// Returns after the commit, and after the journal has the events that it must have.
    func write<Outcome: Sendable>(
        by author: ChangeAuthor = .verifier,
        reading queries: [Query] = [],
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        try await commit { known throws(StoreFailure) in
            try await database.write(reading: [Ledger.queryOfState] + queries) {
                [self] connection throws(StoreFailure) in
                let ledger = Ledger(connection, keyRing, after: known, memory.view())
                return try confirmed(author, in: ledger) { () throws(StoreFailure) in
                    try work(ledger)
                }
            }
        }
    }

    /// Loads, opens secrets without blocking other callers of the store, and writes.
    func write<Loaded, Opened: Sendable, Outcome: Sendable>(
        by author: ChangeAuthor,
        reading queries: [Query] = [],
        loading load: @escaping @Sendable (Ledger) throws(StoreFailure) -> Loaded,
        opening open:
            @escaping @Sendable (Loaded) throws(Failure) -> Preparation<Opened, Outcome>,
        _ work: @escaping @Sendable (Opened, Ledger) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        typealias CommittedResult = Committed<Result<Outcome, Failure>>
        typealias Step = Preparation<Prepared<Opened>, CommittedResult>
        return try await commit { known throws(StoreFailure) -> CommittedResult in
            let view = memory.view()
            return try await database.write(reading: queries) {
                [self] connection throws(StoreFailure) -> Step in
                let ledger = Ledger(connection, keyRing, after: known, view)
                let loaded = try load(ledger)
                do throws(Failure) {
                    return switch try open(loaded) {
                    case .goOn(let opened, let queries):
                        .goOn(
                            with: Prepared(opened: opened, rows: ledger.recorded.rows),
                            reading: [Ledger.queryOfState] + queries
                        )
                    case .enough(let outcome): .enough(CommittedResult(outcome: .success(outcome)))
                    }
                } catch {
                    return .enough(CommittedResult(outcome: .failure(error)))
                }
            } _: { [self] prepared, connection throws(StoreFailure) -> CommittedResult in
                let ledger = Ledger(connection, keyRing, after: known, memory.view())
                ledger.recorded.authentic = prepared.rows
                return try confirmed(author, in: ledger) { () throws(StoreFailure) in
                    try work(prepared.opened, ledger)
                }
            }
        }
    }

    /// Runs `work`, unless the author's confirmation is rejected: then nothing was written.
    private func confirmed<Outcome: Sendable>(
        _ author: ChangeAuthor,
        in ledger: Ledger,
        _ work: () throws(StoreFailure) -> Outcome
    ) throws(StoreFailure) -> Committed<Result<Outcome, Failure>> {
        if let refusal = try ledger.confirm(author.confirmation, clock).refusal {
            return Committed(outcome: .failure(.confirmation(refusal)))
        }
        return Committed(.success(try work()), in: ledger)
    }

    /// The opened secrets, and the rows that were read for them.
    private struct Prepared<Opened: Sendable>: Sendable {
        let opened: Opened
        let rows: RecordedRows
    }

    /// The outcome of a store transaction, its audit events, and the rows that it saw.
    private struct Committed<Outcome: Sendable>: Sendable {
        let outcome: Outcome
        var events = CommittedEvents()
        var rows: SeenRows = []
        var countedFailures: [CountedFailures] = []
        var skipped: [StoreFailure] = []

        init(outcome: Outcome) {
            self.outcome = outcome
        }

        init(_ outcome: Outcome, in ledger: Ledger) {
            ledger.recorded.assertTraced()
            self.outcome = outcome
            events = ledger.recorded.events
            // A refusal can report the outcome of another call, which this process may not have
            // returned.
            events.checkpoint = events.checkpoint ?? ledger.recorded.state?.checkpoint
            rows = ledger.recorded.newRows
            countedFailures = ledger.recorded.countedFailures
            skipped = ledger.recorded.skipped
        }
    }

    private func commit<Outcome: Sendable>(
        _ write: (AuditHead) async throws(StoreFailure) -> Committed<Result<Outcome, Failure>>
    ) async throws(Failure) -> Outcome {
        do throws(Failure) {
            let outcome = try await commitWithJournal(write).get()
            outages.noteSuccess()
            return outcome
        } catch {
            note(error)
            throw error
        }
    }

    private func note(_ failure: Failure) {
        outages.note(failure)
        switch failure {
        case .store(let failure): forgeries.note(failure)
        case .journal(let failure): forgeries.note(failure)
        case .system, .sealedRecord, .policy, .confirmation: break
        }
    }

    /// Derives the key of new tags, so that no transaction waits for it.
    private func prepareRowKey() async throws(Failure) {
        guard let names = try await storeNames() else { return }
        _ = try translatingSystemFailure(
            keyRing.rowKey(version: keyRing.versionInUse, of: names.bytes),
            to: Failure.system
        )
    }

    /// Nil for an empty store.
    ///
    /// Other ids than the first authentic ones are those of another store, or of a restore.
    private func storeNames() async throws(Failure) -> StoreNames? {
        if let names = memory.storeNames { return names }
        let names = try await translatingAsync(
            await KeyedStore(database, keyRing).read { ledger throws(StoreFailure) in
                try ledger.authenticNames()
            },
            to: { (failure: StoreFailure) in Failure(failure) }
        )
        if let names { memory.remember(names) }
        return names
    }

    private func commitWithJournal<Outcome: Sendable>(
        _ write: (AuditHead) async throws(StoreFailure) -> Committed<Outcome>
    ) async throws(Failure) -> Outcome {
        let made: Committed<Outcome>
        try await prepareRowKey()
        do throws(StoreFailure) {
            made = try await write(try committed.known())
            try committed.commit(made.events)
            memory.remember(made.rows)
            for counted in made.countedFailures { uncommitted.remove(counted) }
            for failure in made.skipped { forgeries.note(failure) }
        } catch {
            if error == .rolledBack { committed.stop() }
            if error == .uncertain { committed.doubt() }
            // The sealed value is lost; the next one uses the new key.
            if case .outdatedKey = error.reason { keyRing.readChangedFile() }
            throw Failure(error)
        }
        try await settle()
        if !made.events.kinds.isEmpty { notifier.committed(made.events.kinds) }
        return made.outcome
    }

    /// Waits until the journal has every event that it must have, and the last committed head.
    ///
    /// This includes events of other calls: a verdict that is repeated after a journal failure was
    /// not reported before.
    private func settle() async throws(Failure) {
        guard let journal else { return }
        // All callers wait: each of them can have read the changes of such a transaction.
        if let doubt = committed.unresolvedDoubt {
            try await checkpoint()
            committed.resolveDoubt(upTo: doubt)
        }
        if let checkpoint = committed.unkept {
            committed.keep(checkpoint, in: try await kept(checkpoint, in: journal))
        }
        if let debt = committed.debt {
            try await translatingAsync(await journal.follow(upTo: debt), to: Failure.journal)
            committed.follow(upTo: debt)
        } else if let head = committed.beginCheckpoint() {
            // A failure here is reported to the next caller that waits.
            Task { try? await journal.follow(upTo: head) }
        }
    }

    /// If the trail lacks a record whose result was returned, this verifier stops.
    private func kept(
        _ checkpoint: Checkpoint,
        in journal: Journal
    ) async throws(Failure) -> Checkpoint {
        do throws(JournalFailure) {
            return try await journal.keep(checkpoint)
        } catch {
            guard error == .store(.rolledBack) else { throw .journal(error) }
            committed.stop()
            throw .store(.rolledBack)
        }
    }

    /// Reads outcomes of earlier calls, which this process may not have returned yet.
    ///
    /// A copy of the store must not lack a reported outcome. The head is from the read itself: a
    /// call can have committed that is not resumed yet, or another node. A result that shows no
    /// outcome need not wait.
    func readOutcomes<Outcome: Sendable>(
        reading queries: [Query] = [],
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome,
        isOutcome: (Outcome) -> Bool = { _ in true }
    ) async throws(Failure) -> Outcome {
        let (outcome, seen) = try await read(reading: queries) { ledger throws(StoreFailure) in
            (try work(ledger), try ledger.state().checkpoint)
        }
        guard isOutcome(outcome) else { return outcome }
        do throws(Failure) {
            try note(CommittedEvents(checkpoint: seen))
            try await settle()
        } catch {
            note(error)
            throw error
        }
        return outcome
    }

    private func note(_ events: CommittedEvents) throws(Failure) {
        do throws(StoreFailure) {
            try committed.commit(events)
        } catch {
            committed.stop()
            throw .store(error)
        }
    }

    /// A scan reads many rows.
    func read<Outcome: Sendable>(
        reading queries: [Query] = [],
        isScan: Bool = false,
        _ work: @escaping @Sendable (Ledger) throws(StoreFailure) -> Outcome
    ) async throws(Failure) -> Outcome {
        do throws(Failure) {
            try await prepareRowKey()
        } catch {
            note(error)
            throw error
        }
        do throws(StoreFailure) {
            let job: Job<(Outcome, SeenRows, [StoreFailure])> = {
                [keyRing, view = memory.view()] connection throws(StoreFailure) in
                let ledger = Ledger(connection, keyRing, view)
                return (try work(ledger), ledger.recorded.newRows, ledger.recorded.skipped)
            }
            let (outcome, rows, skipped) =
                isScan
                ? try await database.scan(job)
                : try await database.read(reading: [Ledger.queryOfState] + queries, job)
            memory.remember(rows)
            for failure in skipped { forgeries.note(failure) }
            return outcome
        } catch {
            let failure = Failure(error)
            note(failure)
            throw failure
        }
    }
}

extension Verifier.Failure {
    /// A row under an unknown key is like any other value that does not open.
    fileprivate init(_ failure: StoreFailure) {
        self =
            if case .missingKey(let version) = failure.reason {
                .sealedRecord(.keyMissing(version: version))
            } else {
                .store(failure)
            }
    }
}
