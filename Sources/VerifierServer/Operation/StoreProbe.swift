import PrivateFiles
import Verification

/// Checks that keys work and that the store accepts writes, once for all concurrent health checks.
///
/// An unreachable store blocks a caller as long as it blocks a decision. A load balancer cannot
/// wait for that, so each caller gets a result within `timeout`, and only one check runs at a time.
final class StoreProbe: Sendable {
    enum ProbeResult: Equatable, Sendable {
        case reachable
        case failed(Verifier.Failure)
        /// The HSM cannot use a key.
        case keysUnavailable
        /// The store did not respond within the timeout.
        case timedOut
    }

    static let timeout = Duration.seconds(2)
    /// How long a result is reused.
    static let freshness = Duration.seconds(1)

    private typealias Waiter = CheckedContinuation<ProbeResult, Never>

    private enum Stage {
        case idle
        case checking([Waiter])
        /// The check is still running after its timeout.
        case late
    }

    private let timeout: Duration
    private let freshness: Duration
    private let check: @Sendable () async -> ProbeResult
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var stage = Stage.idle
    private nonisolated(unsafe) var last: (result: ProbeResult, end: ContinuousClock.Instant)?
    /// The number of checks.
    private nonisolated(unsafe) var count = 0

    init(
        timeout: Duration = timeout,
        freshness: Duration = freshness,
        _ check: @escaping @Sendable () async -> ProbeResult
    ) {
        self.timeout = timeout
        self.freshness = freshness
        self.check = check
    }

    func result() async -> ProbeResult {
        await withCheckedContinuation { waiter in
            switch lock.locked({ step(for: waiter) }) {
            case .finish(let result): waiter.resume(returning: result)
            case .check(let number): start(number)
            case .wait: break
            }
        }
    }

    /// The next step of a caller.
    private enum Step {
        case finish(ProbeResult)
        case check(Int)
        case wait
    }

    /// Only called while `lock` is held.
    private func step(for waiter: Waiter) -> Step {
        switch stage {
        case .idle:
            if let last, .now < last.end { return .finish(last.result) }
            count += 1
            stage = .checking([waiter])
            return .check(count)
        case .checking(let waiters):
            stage = .checking(waiters + [waiter])
            return .wait
        case .late: return .finish(.timedOut)
        }
    }

    private func start(_ number: Int) {
        let timer = Task { [timeout] in
            // The sleep ends early if the store responded.
            guard (try? await Task.sleep(for: timeout)) != nil else { return }
            timeOut(number)
        }
        Task {
            let result = await check()
            timer.cancel()
            end(with: result)
        }
    }

    /// Reports a timeout, unless the result came first.
    private func timeOut(_ number: Int) {
        resume(.timedOut) {
            guard number == count, case .checking(let waiters) = stage else { return [] }
            stage = .late
            return waiters
        }
    }

    private func end(with result: ProbeResult) {
        resume(result) {
            last = (result, .now + freshness)
            defer { stage = .idle }
            return if case .checking(let waiters) = stage { waiters } else { [] }
        }
    }

    private func resume(_ result: ProbeResult, _ waiters: () -> [Waiter]) {
        for waiter in lock.locked(waiters) { waiter.resume(returning: result) }
    }
}
