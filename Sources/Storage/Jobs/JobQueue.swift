import FailureTranslation
import PrivateFiles

/// Jobs that wait for the threads of a store.
typealias JobQueue = WorkQueue<any PendingJob>

/// A store whose jobs that write wait for one thread, which commits them in groups.
protocol QueuedDatabase: Database {
    var writing: JobQueue { get }
    var commits: CommitTally { get }
}

extension QueuedDatabase {
    package func write<Outcome: Sendable>(
        reading queries: [Query],
        _ job: @escaping Job<Outcome>
    ) async throws(StoreFailure) -> Outcome {
        try await writing.outcome(of: job, reading: queries)
    }
}

extension JobQueue {
    func submit(_ job: any PendingJob) {
        if !append(job) { job.fail(.unavailable) }
    }

    func outcome<Outcome: Sendable>(
        of job: @escaping Job<Outcome>,
        reading queries: [Query] = [],
        isScan: Bool = false
    ) async throws(StoreFailure) -> Outcome {
        let result: Result<Outcome, StoreFailure> = await withCheckedContinuation { caller in
            submit(
                SubmittedJob(job, reading: queries, isScan: isScan) {
                    caller.resume(returning: $0)
                }
            )
        }
        return try result.get()
    }

    /// Starts a thread that serves jobs until the queue is closed and empty.
    func serve(
        takingUpTo limit: Int,
        _ serve: @escaping @Sendable ([any PendingJob]) -> Void,
        end: @escaping @Sendable () -> Void
    ) throws(StoreFailure) {
        try start(takingUpTo: limit, isExclusive: \.isScan, serve, end: end)
    }

    /// Ends the threads of a store that cannot be opened, and waits for them.
    func abandon() {
        refuse()
        join()
    }
}

extension WorkQueue {
    /// Starts a thread of a store, which serves elements until the queue is closed and empty.
    func start(
        takingUpTo limit: Int,
        isExclusive: @escaping @Sendable (Element) -> Bool = { _ in false },
        _ serve: @escaping @Sendable ([Element]) -> Void,
        end: @escaping @Sendable () -> Void = {}
    ) throws(StoreFailure) {
        try translating(
            startThread(takingUpTo: limit, isExclusive: isExclusive, serve: serve, end: end)
        ) { (_: ThreadUnavailable) in StoreFailure.unavailable }
    }
}
