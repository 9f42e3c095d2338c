/// Code that runs in one transaction, on a thread where it may block.
///
/// A job may run again before its outcome is returned, so it changes nothing outside the store.
package typealias Job<Outcome> =
    @Sendable (any SQLConnection) throws(StoreFailure) -> Outcome

/// A job that continues from prepared data.
package typealias PreparedJob<Prepared, Outcome> =
    @Sendable (Prepared, any SQLConnection) throws(StoreFailure) -> Outcome

/// The result of reading before a job that writes.
package enum Preparation<Prepared: Sendable, Outcome: Sendable>: Sendable {
    case goOn(with: Prepared)
    /// There is nothing to write.
    case enough(Outcome)
}

/// A store that many callers use at the same time.
package protocol Database: Sendable {
    /// Returns the job's outcome when everything it wrote is durable.
    ///
    /// No other job, of any process, writes between its first statement and its end. A job that
    /// throws leaves nothing behind. Cancelling the caller does not cancel the job.
    func write<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome

    /// Reads first, without blocking other writers, and then writes.
    ///
    /// The job sees everything that was committed in between.
    func write<Prepared: Sendable, Outcome: Sendable>(
        after preparation: @escaping Job<Preparation<Prepared, Outcome>>,
        _ job: @escaping PreparedJob<Prepared, Outcome>
    ) async throws(StoreFailure) -> Outcome

    /// Returns what the job read of one committed state. The job cannot write.
    ///
    /// The job reads a few rows: it can run on the thread of the caller.
    func read<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome

    /// The same for a job that reads a whole table; it always runs on another thread.
    func scan<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome

    /// Rejects new jobs, waits for the end of the others, and closes the store.
    func close() async
}

extension Database {
    package func scan<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await read(job)
    }

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
