import Cryptography
import TransactionApproval

/// How a file of accounts is loaded.
package struct BulkLoad: Sendable {
    package let name: ImportName
    /// Ends before the first row that is rejected, so that the file can be corrected there.
    package let stopsAtRejection: Bool
    /// The operator's word about every token's counter; see `Verifier.add(_:to:)`.
    package let countersAreCurrent: Bool

    package init(
        name: ImportName,
        stopsAtRejection: Bool = false,
        countersAreCurrent: Bool = false
    ) {
        self.name = name
        self.stopsAtRejection = stopsAtRejection
        self.countersAreCurrent = countersAreCurrent
    }

    /// What one more transaction did, or all those before this run.
    package struct Step: Sendable {
        package let record: ImportRecord
        package let rejections: [RejectedRow]
        /// How far the file was read for that, in bytes.
        package let bytesLoaded: Int
    }
}

extension Verifier {
    /// Adds the accounts of a file, some hundreds in each transaction, while decisions go on.
    ///
    /// Stopped at any time, it goes on where it stopped when it is asked for again, and tells first
    /// which rows were left out until there: who was stopped may have told nobody. Rows are read and
    /// sealed while those before them are committed.
    package func load(
        _ source: some AccountSource,
        _ load: BulkLoad,
        by actor: Actor,
        report: (BulkLoad.Step) -> Void
    ) async throws(LoadFailure) -> ImportRecord {
        let (name, key) = try await onVerifier { () async throws(Failure) in
            (load.name, try await fingerprintKey())
        }
        var done =
            try await onVerifier { () async throws(Failure) in
                try await read { ledger throws(StoreFailure) in try ledger.importRecord(name) }
            } ?? ImportRecord(name: name)
        var reading = try BulkLoad.Reading(source, key)
        try reading.skip(to: done)
        if done.rejected > 0 { report(try await earlier(done, in: source)) }
        var pace = BulkLoad.Pace()
        var next = try batch(of: pace.rowCount, from: &reading)
        while let batch = next {
            async let committed = commit(batch, of: load, after: done, by: actor)
            // What is wrong with the next rows is said after what became of these.
            let prepared = Result { () throws(LoadFailure) in
                try self.batch(of: pace.rowCount, from: &reading)
            }
            let outcome = try await committed.get()
            done = outcome.record
            pace.note(outcome.duration, for: batch.rows.count)
            report(
                BulkLoad.Step(
                    record: done,
                    rejections: outcome.rejections,
                    bytesLoaded: batch.bytesRead
                )
            )
            if load.stopsAtRejection, !outcome.rejections.isEmpty { break }
            next = try prepared.get()
        }
        return done
    }

    private func earlier(
        _ done: ImportRecord,
        in source: some AccountSource
    ) async throws(LoadFailure) -> BulkLoad.Step {
        let rejections = try await onVerifier { () async throws(Failure) in
            try await read { ledger throws(StoreFailure) in
                try ledger.rejectedRows(of: done.name)
            }
        }
        return BulkLoad.Step(
            record: done,
            rejections: rejections,
            bytesLoaded: source.progress.read
        )
    }

    private func onVerifier<Outcome>(
        _ body: () async throws(Failure) -> Outcome
    ) async throws(LoadFailure) -> Outcome {
        do throws(Failure) {
            return try await body()
        } catch {
            throw .verifier(error)
        }
    }
}
