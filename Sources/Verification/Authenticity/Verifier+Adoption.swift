import Storage
import TransactionApproval

extension Verifier {
    /// Writes tags for all rows of a store that an earlier release made.
    ///
    /// From then on, the rows are trusted. It can be stopped and repeated: the store's own tag is
    /// written last. Returns the number of new tags; 0 if the store had them.
    package func adoptStore(
        by actor: Actor,
        rowsAtOnce: Int = 500,
        report: @Sendable (_ done: UInt64, _ count: UInt64) -> Void = { _, _ in }
    ) async throws(Failure) -> Int {
        let (isTagged, rowCount) = try await read(isScan: true) { ledger throws(StoreFailure) in
            (try ledger.hasOwnTag(), try ledger.taggedRowCount())
        }
        guard !isTagged else { return 0 }
        var (count, done) = (0, UInt64(0))
        for table in TaggedTable.all {
            var last: [SQLValue]?
            while let batch = try await adopt(table, after: last, rowsAtOnce) {
                last = batch.last
                count += batch.changed
                done += UInt64(batch.rows)
                report(done, rowCount)
            }
        }
        try await write { [clock] ledger throws(StoreFailure) in
            let state = try ledger.trustState()
            let event = Event(.storeAdopted, of: "", in: nil)
            try ledger.record([event], by: actor, at: clock.now(in: state), after: state.audit)
        }
        return count
    }

    private func adopt(
        _ table: TaggedTable,
        after last: [SQLValue]?,
        _ limit: Int
    ) async throws(Failure) -> Retagged? {
        try await write { ledger throws(StoreFailure) in
            _ = try ledger.trustState()
            return try ledger.retag(table, after: last, limit: limit, adopting: true)
        }
    }
}
