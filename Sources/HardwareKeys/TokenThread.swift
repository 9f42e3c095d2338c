import PrivateFiles

/// The one thread that calls the library of an HSM, and that a call may hold for ever.
///
/// A caller waits until its deadline. Then it fails, and the thread stays in the library. Until the
/// thread returns, further callers fail at once.
final class TokenThread: Sendable {
    typealias Failure = SecurityModule.Failure

    private let calls = WorkQueue<@Sendable () -> Void>()
    /// The beginning of the call in the library.
    private let start = LockedValue<ContinuousClock.Instant?>(nil)

    init() throws(ThreadUnavailable) {
        try calls.startThread(takingUpTo: 1) { calls in
            for call in calls { call() }
        } end: {
        }
    }

    func run<Outcome: ~Copyable & Sendable>(
        before deadline: ContinuousClock.Instant,
        _ body: @escaping @Sendable () throws(Failure) -> Outcome
    ) throws(Failure) -> Outcome {
        guard !hangs else { throw .timedOut }
        let call = Call<Outcome>()
        // The queue is never closed, so it accepts every call.
        _ = calls.append { [start] in
            // The caller is gone.
            guard .now < deadline else { return }
            start.withLock { $0 = .now }
            call.run(body)
            start.withLock { $0 = nil }
        }
        return try call.outcome(before: deadline)
    }

    private var hangs: Bool {
        start.withLock { $0.map { $0 + SecurityModule.timeout < .now } ?? false }
    }
}

/// The outcome of a call, whose caller may be gone.
///
/// `@unchecked`: `lock` guards the variable.
private final class Call<Outcome: ~Copyable & Sendable>: @unchecked Sendable {
    private let lock = Lock()
    private var result: Result<Outcome, TokenThread.Failure>?

    func run(_ body: () throws(TokenThread.Failure) -> Outcome) {
        var made: Result<Outcome, TokenThread.Failure>?
        do throws(TokenThread.Failure) {
            made = .success(try body())
        } catch {
            made = .failure(error)
        }
        lock.locked { result = made.take() }
        lock.signalChange()
    }

    func outcome(before deadline: ContinuousClock.Instant) throws(TokenThread.Failure) -> Outcome {
        var taken: Result<Outcome, TokenThread.Failure>?
        lock.locked {
            while result == nil, lock.waitForChange(before: deadline) {}
            taken = result.take()
        }
        guard let result = taken.take() else { throw .timedOut }
        return try result.get()
    }
}
