/// Something done in one transaction, on a thread where it may block.
///
/// A work may be run again before its outcome is told, so it keeps nothing outside of the store.
package typealias Job<Outcome> =
    @Sendable (any SQLConnection) throws(StoreFailure) -> Outcome

/// A work that goes on with what was prepared for it.
package typealias PreparedJob<Prepared, Outcome> =
    @Sendable (Prepared, any SQLConnection) throws(StoreFailure) -> Outcome

/// What comes of reading before a work that writes.
package enum Preparation<Prepared: Sendable, Outcome: Sendable>: Sendable {
    case goOn(with: Prepared)
    /// There is nothing to write.
    case enough(Outcome)
}

/// A store that many callers use at once.
package protocol Database: Sendable {
    /// Gives what `work` gave once all that it wrote is durable.
    ///
    /// No other work, of any process, writes between its first statement and its end.
    /// A work that throws leaves nothing behind. A caller that is cancelled cancels nothing.
    func write<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome

    /// Reads first and does there what need not keep others from writing, then writes.
    ///
    /// `work` finds whatever was committed in between.
    func write<Prepared: Sendable, Outcome: Sendable>(
        after preparation: @escaping Job<Preparation<Prepared, Outcome>>,
        _ job: @escaping PreparedJob<Prepared, Outcome>
    ) async throws(StoreFailure) -> Outcome

    /// Gives what `work` gave of one committed state; it cannot write.
    func read<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome

    /// Refuses new works, finishes those that wait, and lets go of the store.
    func close() async
}

extension Database {
    package func write<Prepared: Sendable, Outcome: Sendable>(
        after preparation: @escaping Job<Preparation<Prepared, Outcome>>,
        _ job: @escaping PreparedJob<Prepared, Outcome>
    ) async throws(StoreFailure) -> Outcome {
        switch try await read(preparation) {
        case .enough(let outcome): outcome
        case .goOn(let prepared):
            try await write { connection throws(StoreFailure) in try job(prepared, connection) }
        }
    }
}
