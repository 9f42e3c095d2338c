import Storage

extension Ledger {
    /// Adds a change of a row to the next audit record: its old columns, if it existed, and its new
    /// ones.
    ///
    /// Changes without a record are not included:
    /// * sealed values, because a rotation seals them again;
    /// * wrong activation codes and claims, because a stranger can send any number of them.
    func trace(
        _ part: TracedPart,
        held old: NamedValues? = nil,
        holds new: NamedValues
    ) throws(StoreFailure) {
        recorded.traces.append(
            RowTrace(
                row: TracedRow(part, try new[part.table.key]),
                before: try old.map { old throws(StoreFailure) in
                    try old[part.columns].traceDigest()
                },
                digest: try new[part.columns].traceDigest()
            )
        )
    }

    /// Divides all changes since the last records among these, so that no record becomes long.
    func takeTraces(for events: [Event]) -> [[UInt8]] {
        let traces = recorded.traces
        recorded.traces = []
        let share = (traces.count + events.count - 1) / events.count
        return events.indices.map { index in
            RowTrace.stored(traces.dropFirst(index * share).prefix(share))
        }
    }
}
