/// Where works wait for a store's threads: those that write, and those that only read.
final class JobQueues: Sendable {
    let writing = JobQueue()
    let reading = JobQueue()

    /// Ends what was begun of a store that cannot be opened; returns when its threads have ended.
    func abandon() {
        for line in [writing, reading] {
            line.refuse()
            line.join()
        }
    }

    deinit {
        writing.refuse()
        reading.refuse()
    }
}

/// A store with threads of its own, which take works from two lines.
protocol QueuedDatabase: Database {
    var lines: JobQueues { get }
}

extension QueuedDatabase {
    package func write<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await lines.writing.outcome(of: job)
    }

    /// The thread that prepared puts the work in line for the one that writes: the caller, who waits
    /// for both, wakes once.
    package func write<Prepared: Sendable, Outcome: Sendable>(
        after preparation: @escaping Job<Preparation<Prepared, Outcome>>,
        _ job: @escaping PreparedJob<Prepared, Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let lines = lines
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { caller in
            let preparing = SubmittedJob(preparation) { result in
                switch result {
                case .failure(let failure): caller.resume(returning: .failure(failure))
                case .success(.enough(let outcome)): caller.resume(returning: .success(outcome))
                case .success(.goOn(let prepared)):
                    lines.writing.append(
                        SubmittedJob { connection throws(StoreFailure) in
                            try job(prepared, connection)
                        } caller: {
                            caller.resume(returning: $0)
                        }
                    )
                }
            }
            lines.reading.append(preparing)
        }
        return try result.get()
    }

    package func read<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await lines.reading.outcome(of: job)
    }

    package func close() async {
        await lines.reading.close()
        await lines.writing.close()
    }
}

extension JobQueue {
    /// Waits in line, then for the outcome.
    fileprivate func outcome<Outcome: Sendable>(
        of job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { caller in
            append(SubmittedJob(job) { caller.resume(returning: $0) })
        }
        return try result.get()
    }
}
