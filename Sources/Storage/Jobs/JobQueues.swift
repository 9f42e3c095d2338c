import FailureTranslation
import PrivateFiles

typealias JobQueue = WorkQueue<any PendingJob>

/// The queues of a store's threads: one for jobs that write, one for jobs that only read.
final class JobQueues: Sendable {
    let writing = JobQueue()
    let reading = JobQueue()

    /// Ends the threads of a store that cannot be opened, and waits for them.
    func abandon() {
        for queue in [writing, reading] {
            queue.refuse()
            queue.join()
        }
    }

    func close() async {
        await reading.close()
        await writing.close()
    }

    deinit {
        writing.refuse()
        reading.refuse()
    }
}

/// A store with threads of its own, which take jobs from two queues.
protocol QueuedDatabase: Database {
    var queues: JobQueues { get }
}

extension QueuedDatabase {
    package func write<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await queues.writing.outcome(of: job)
    }

    /// The thread that prepares also queues the job that writes, so that the caller wakes once.
    package func write<Prepared: Sendable, Outcome: Sendable>(
        after preparation: @escaping Job<Preparation<Prepared, Outcome>>,
        _ job: @escaping PreparedJob<Prepared, Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let queues = queues
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { caller in
            let preparing = SubmittedJob(preparation) { result in
                switch result {
                case .failure(let failure): caller.resume(returning: .failure(failure))
                case .success(.enough(let outcome)): caller.resume(returning: .success(outcome))
                case .success(.goOn(let prepared)):
                    queues.writing.submit(
                        SubmittedJob { connection throws(StoreFailure) in
                            try job(prepared, connection)
                        } caller: {
                            caller.resume(returning: $0)
                        }
                    )
                }
            }
            queues.reading.submit(preparing)
        }
        return try result.get()
    }

    package func read<Outcome: Sendable>(
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await queues.reading.outcome(of: job)
    }

    package func close() async { await queues.close() }
}

extension JobQueue {
    fileprivate func submit(_ job: any PendingJob) {
        if !append(job) { job.fail(.unavailable) }
    }

    fileprivate func outcome<Outcome: Sendable>(
        of job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { caller in
            submit(SubmittedJob(job) { caller.resume(returning: $0) })
        }
        return try result.get()
    }

    /// Starts a thread that serves jobs until the queue is closed and empty.
    func serve(
        takingUpTo limit: Int,
        _ serve: @escaping @Sendable ([any PendingJob]) -> Void,
        end: @escaping @Sendable () -> Void
    ) throws(StoreFailure) {
        try translating(startThread(takingUpTo: limit, serve: serve, end: end)) {
            (_: ThreadUnavailable) in StoreFailure.unavailable
        }
    }
}
