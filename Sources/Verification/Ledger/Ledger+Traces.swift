extension Ledger {
    /// Has the next record say what these columns of a row hold from now on, and what they held
    /// until now, where the row was there.
    ///
    /// What changes without a record is in none of them: what is sealed, which a rotation writes
    /// anew and which opens nowhere else; wrong activation codes and claims, of which a stranger can
    /// make as many as he likes.
    func trace(
        _ part: TracedPart,
        _ key: some Collection<SQLValue>,
        held old: [SQLValue]? = nil,
        holds new: some Collection<SQLValue>
    ) throws(StoreFailure) {
        recorded.traces.append(
            RowTrace(
                row: TracedRow(part, key),
                before: try old.map { old throws(StoreFailure) in try old.traceDigest() },
                digest: try new.traceDigest()
            )
        )
    }

    /// Gives each of these records its share of what was written since the last ones, so that none
    /// becomes long where much was written at once.
    func takeTraces(for events: [Event]) -> [[UInt8]] {
        let traces = recorded.traces
        recorded.traces = []
        let share = (traces.count + events.count - 1) / events.count
        return events.indices.map { index in
            RowTrace.stored(traces.dropFirst(index * share).prefix(share))
        }
    }
}
