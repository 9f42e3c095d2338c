/// A connection that tells whether a statement failed in the work that it runs.
protocol JobConnection: SQLConnection {
    /// What the first statement that failed in this work said.
    var failure: StoreFailure? { get }
}

/// A work in line, whatever its outcome is.
protocol PendingJob: AnyObject, Sendable {
    /// Whether the last run failed.
    var hasFailed: Bool { get }
    /// Runs it and keeps what came of it; what came of an earlier run is forgotten.
    func run(on connection: any JobConnection)
    /// Tells the caller what came of it; once, and last.
    func tell()
    /// Tells the caller what happened to the whole transaction instead; once, and last.
    func tell(_ failure: StoreFailure)
}

/// A work, and the caller who waits for its outcome.
///
/// `@unchecked`: it belongs to its caller, then to the line, then to the one thread that took it.
final class SubmittedJob<Outcome: Sendable>: PendingJob, @unchecked Sendable {
    typealias Caller = @Sendable (Result<Outcome, StoreFailure>) -> Void

    private let job: Job<Outcome>
    private let caller: Caller
    private var result: Result<Outcome, StoreFailure> = .failure(.unavailable)

    init(_ job: @escaping Job<Outcome>, caller: @escaping Caller) {
        self.job = job
        self.caller = caller
    }

    var hasFailed: Bool {
        if case .failure = result { true } else { false }
    }

    func run(on connection: any JobConnection) {
        do throws(StoreFailure) {
            let outcome = try job(connection)
            // The work may have passed over a failure: no engine may let it.
            if let failure = connection.failure { throw failure }
            result = .success(outcome)
        } catch {
            result = .failure(error)
        }
    }

    func tell() { caller(result) }

    func tell(_ failure: StoreFailure) { caller(.failure(failure)) }
}
