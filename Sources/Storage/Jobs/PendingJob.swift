/// A connection that remembers the first failure of a job.
protocol JobConnection: SQLConnection {
    /// Throws the failure of the first statement in this job that is known to have failed.
    func endJob() throws(StoreFailure)
}

/// A job in a queue, whatever the type of its outcome.
protocol PendingJob: AnyObject, Sendable {
    /// When a caller submitted it; its retries end one timeout later.
    var submission: ContinuousClock.Instant { get }
    var queries: [Query] { get }
    /// Whether it reads a whole table, so that no other job should wait for it.
    var isScan: Bool { get }
    /// Whether the last run failed.
    var hasFailed: Bool { get }
    /// Runs the job and keeps its result instead of an earlier one.
    func run(on connection: any JobConnection)
    /// Returns the result to the caller; called once, at the end.
    func finish()
    /// Returns the failure of the whole transaction instead; called once, at the end.
    func fail(_ failure: StoreFailure)
}

/// A job, and the caller that waits for its outcome.
///
/// `@unchecked`: it belongs to its caller, then to the queue, then to the one thread that took it.
final class SubmittedJob<Outcome: Sendable>: PendingJob, @unchecked Sendable {
    typealias Caller = @Sendable (Result<Outcome, StoreFailure>) -> Void

    let submission: ContinuousClock.Instant
    let queries: [Query]
    let isScan: Bool
    private let job: Job<Outcome>
    private let caller: Caller
    private var result: Result<Outcome, StoreFailure> = .failure(.unavailable)

    init(
        _ job: @escaping Job<Outcome>,
        submitted submission: ContinuousClock.Instant = .now,
        reading queries: [Query] = [],
        isScan: Bool = false,
        caller: @escaping Caller
    ) {
        self.job = job
        self.submission = submission
        self.queries = queries
        self.isScan = isScan
        self.caller = caller
    }

    var hasFailed: Bool {
        if case .failure = result { true } else { false }
    }

    func run(on connection: any JobConnection) {
        result = Result { () throws(StoreFailure) in
            let outcome = try job(connection)
            // The job may have ignored a failure, which no engine may permit.
            try connection.endJob()
            return outcome
        }
    }

    func finish() { caller(result) }

    func fail(_ failure: StoreFailure) { caller(.failure(failure)) }
}

extension [any PendingJob] {
    /// The jobs that were submitted until this time, and all later ones.
    func split(at time: ContinuousClock.Instant) -> (before: Self, after: Self) {
        (filter { $0.submission <= time }, filter { $0.submission > time })
    }
}
