import Storage

extension Ledger {
    /// Adds a change of a row to the next audit record: its old columns, if it existed, and its new
    /// ones.
    ///
    /// Changes without a record are not included:
    /// * sealed values, because a rotation seals them again;
    /// * wrong activation codes and claims, because a stranger can send any number of them.
    func trace(
        _ part: TaggedPart,
        _ traced: [TracedPart],
        _ old: KnownRow?,
        _ new: KnownRow,
        key: [SQLValue]
    ) {
        for (index, tracedPart) in part.traced.enumerated() where traced.contains(tracedPart) {
            guard let digest = new.digest(index) else { continue }
            recorded.traces.append(
                RowTrace(
                    row: TracedRow(tracedPart, key),
                    before: old?.digest(index),
                    digest: digest
                )
            )
        }
    }

    /// Adds a change of a row without a tag of its own.
    func trace(
        _ part: TracedPart,
        held old: NamedValues,
        holds new: NamedValues
    ) throws(StoreFailure) {
        recorded.traces.append(
            RowTrace(
                row: TracedRow(part, try new[part.table.key]),
                before: try old[part.columns].traceDigest(),
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
