import Cryptography
import FailureTranslation
import Storage
import TransactionApproval

/// The options of a bulk load.
package struct BulkLoad: Sendable {
    package let name: ImportName
    /// Stops before the first refused row, so that the operator can correct the file.
    package let stopsAtRejection: Bool
    /// The operator confirms that no code from each token's counter on was used.
    ///
    /// A restored store cannot know that.
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

    /// The result of one transaction, or of all earlier runs.
    package struct Step: Sendable {
        package let record: ImportRecord
        package let rejections: [RejectedRow]
        /// The bytes of the file that were read for it.
        package let bytesLoaded: Int
    }
}

extension Verifier {
    /// Adds the accounts of a file, some hundreds per transaction, while decisions continue.
    ///
    /// A stopped load resumes when it is called again. It first reports the rows that earlier runs
    /// skipped. Rows are read and sealed while the previous batch commits.
    package func load(
        _ source: some AccountSource,
        _ load: BulkLoad,
        by author: ChangeAuthor,
        report: (BulkLoad.Step) -> Void
    ) async throws(LoadFailure) -> ImportRecord {
        let name = load.name
        let key = try await translatingAsync(await fingerprintKey(), to: LoadFailure.verifier)
        let found = try await translatingAsync(
            await read { ledger throws(StoreFailure) in try ledger.importRecord(name) },
            to: LoadFailure.verifier
        )
        var done = found ?? ImportRecord(name: name)
        var reading = try BulkLoad.Reading(source, key)
        try reading.skip(to: done)
        if done.rejected > 0 { report(try await earlier(done, in: source)) }
        var pace = BulkLoad.Pace()
        var next = try batch(of: pace.rowCount, from: &reading)
        while let batch = next {
            async let committed = commit(batch, of: load, after: done, by: author)
            // An error in the next rows is reported after the result of these.
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
        let rejections = try await translatingAsync(
            await read { ledger throws(StoreFailure) in
                try ledger.rejectedRows(of: done.name)
            },
            to: LoadFailure.verifier
        )
        return BulkLoad.Step(
            record: done,
            rejections: rejections,
            bytesLoaded: source.progress.read
        )
    }
}
