import PrivateFiles

/// Reads from the store once for all concurrent callers.
///
/// An unreachable store blocks a caller as long as it blocks a decision. A load balancer or a
/// monitoring system cannot wait for that. So each caller gets a result within `timeout`, and only
/// one reading runs at a time.
package final class StoreProbe<Reading: Sendable>: Sendable {
    package static var timeout: Duration { .seconds(2) }

    /// Nil after the timeout.
    private typealias Waiter = CheckedContinuation<Reading?, Never>

    private enum Stage {
        case idle
        case reading([Waiter])
        /// The reading is still running after its timeout.
        case late
    }

    private let timeout: Duration
    private let freshness: Duration
    private let read: @Sendable () async -> Reading
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var stage = Stage.idle
    private nonisolated(unsafe) var last: (reading: Reading, end: ContinuousClock.Instant)?
    /// The number of readings.
    private nonisolated(unsafe) var count = 0

    /// `freshness`: how long a reading is reused.
    package init(
        timeout: Duration = timeout,
        freshness: Duration,
        _ read: @escaping @Sendable () async -> Reading
    ) {
        self.timeout = timeout
        self.freshness = freshness
        self.read = read
    }

    /// Nil if the store did not respond within the timeout.
    package func reading() async -> Reading? {
        await withCheckedContinuation { waiter in
            switch lock.locked({ step(for: waiter) }) {
            case .finish(let reading): waiter.resume(returning: reading)
            case .read(let number): start(number)
            case .wait: break
            }
        }
    }

    /// The next step of a caller.
    private enum Step {
        case finish(Reading?)
        case read(Int)
        case wait
    }

    /// Only called while `lock` is held.
    private func step(for waiter: Waiter) -> Step {
        switch stage {
        case .idle:
            if let last, .now < last.end { return .finish(last.reading) }
            count += 1
            stage = .reading([waiter])
            return .read(count)
        case .reading(let waiters):
            stage = .reading(waiters + [waiter])
            return .wait
        case .late: return .finish(nil)
        }
    }

    private func start(_ number: Int) {
        let timer = Task { [timeout] in
            // The sleep ends early if the store responded.
            guard (try? await Task.sleep(for: timeout)) != nil else { return }
            timeOut(number)
        }
        Task {
            let reading = await read()
            timer.cancel()
            end(with: reading)
        }
    }

    /// Reports a timeout, unless the reading came first.
    private func timeOut(_ number: Int) {
        resume(nil) {
            guard number == count, case .reading(let waiters) = stage else { return [] }
            stage = .late
            return waiters
        }
    }

    private func end(with reading: Reading) {
        resume(reading) {
            last = (reading, .now + freshness)
            defer { stage = .idle }
            return if case .reading(let waiters) = stage { waiters } else { [] }
        }
    }

    private func resume(_ reading: Reading?, _ waiters: () -> [Waiter]) {
        for waiter in lock.locked(waiters) { waiter.resume(returning: reading) }
    }
}
