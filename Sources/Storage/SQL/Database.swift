/// Code that runs in one transaction, on a thread where it may block.
///
/// A job may run again before its outcome is returned. So what it changes outside the store must be the
/// same after two runs.
package typealias Job<Outcome> =
    @Sendable (any SQLConnection) throws(StoreFailure) -> Outcome

/// A job that continues from prepared data.
package typealias PreparedJob<Prepared, Outcome> =
    @Sendable (Prepared, any SQLConnection) throws(StoreFailure) -> Outcome

/// The result of reading before a job that writes.
package enum Preparation<Prepared: Sendable, Outcome: Sendable>: Sendable {
    case goOn(with: Prepared, reading: [Query])
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
        reading queries: [Query],
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome

    /// The same for a job that reads or writes whole tables.
    func rewrite<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome

    /// Reads first, without blocking other writers, and then writes.
    ///
    /// The job sees everything that was committed in between. `queries` are those of the preparation.
    func write<Prepared: Sendable, Outcome: Sendable>(
        reading queries: [Query],
        after preparation: @escaping Job<Preparation<Prepared, Outcome>>,
        _ job: @escaping PreparedJob<Prepared, Outcome>
    ) async throws(StoreFailure) -> Outcome

    /// Returns what the job read of one committed state. The job cannot write.
    ///
    /// The job reads a few rows, so it can run on the thread of the caller. Other jobs can read the
    /// same state.
    func read<Outcome: Sendable>(
        reading queries: [Query],
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
    package func write<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await write(reading: [], job)
    }

    package func rewrite<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await write(job)
    }

    package func read<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await read(reading: [], job)
    }

    package func scan<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await read(job)
    }

    package func write<Prepared: Sendable, Outcome: Sendable>(
        reading queries: [Query],
        after preparation: @escaping Job<Preparation<Prepared, Outcome>>,
        _ job: @escaping PreparedJob<Prepared, Outcome>
    ) async throws(StoreFailure) -> Outcome {
        switch try await read(reading: queries, preparation) {
        case .enough(let outcome): outcome
        case .goOn(let prepared, let queries):
            try await write(reading: queries) { connection throws(StoreFailure) in
                try job(prepared, connection)
            }
        }
    }
}
