/// Where works wait for a store's threads: those that write, and those that only read.
final class WorkLines: Sendable {
    let writing = WorkLine()
    let reading = WorkLine()

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
protocol WorkedDatabase: Database {
    var lines: WorkLines { get }
}

extension WorkedDatabase {
    package func write<Outcome: Sendable>(
        _ work: @escaping Work<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await lines.writing.outcome(of: work)
    }

    /// The thread that prepared puts the work in line for the one that writes: the caller, who waits
    /// for both, wakes once.
    package func write<Prepared: Sendable, Outcome: Sendable>(
        after preparation: @escaping Work<Preparation<Prepared, Outcome>>,
        _ work: @escaping PreparedWork<Prepared, Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let lines = lines
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { caller in
            let preparing = CallersWork(preparation) { result in
                switch result {
                case .failure(let failure): caller.resume(returning: .failure(failure))
                case .success(.enough(let outcome)): caller.resume(returning: .success(outcome))
                case .success(.goOn(let prepared)):
                    lines.writing.append(
                        CallersWork { connection throws(StoreFailure) in
                            try work(prepared, connection)
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
        _ work: @escaping Work<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await lines.reading.outcome(of: work)
    }

    package func close() async {
        await lines.reading.close()
        await lines.writing.close()
    }
}

extension WorkLine {
    /// Waits in line, then for the outcome.
    fileprivate func outcome<Outcome: Sendable>(
        of work: @escaping Work<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { caller in
            append(CallersWork(work) { caller.resume(returning: $0) })
        }
        return try result.get()
    }
}
