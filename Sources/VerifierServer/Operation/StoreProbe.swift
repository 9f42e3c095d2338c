import Verification

/// Asks the store whether it keeps what it is given, once for all who want to know.
///
/// A store that is away holds whoever asks it for as long as it holds a decision. Those who deal out
/// requests cannot wait for that, and come again: so nobody waits longer than `patience`, and while
/// one question is on its way no other is asked.
final class StoreProbe: Sendable {
    enum ProbeResult: Equatable, Sendable {
        case reached
        case failed(Verifier.Failure)
        /// None yet.
        case silent
    }

    static let timeout = Duration.seconds(2)
    /// How long an answer is good for others.
    static let freshness = Duration.seconds(1)

    private typealias Asker = CheckedContinuation<ProbeResult, Never>

    private enum Stage {
        case idle
        case asking([Asker])
        /// It is still being asked, and was waited for in vain.
        case late
    }

    private let timeout: Duration
    private let freshness: Duration
    private let ask: @Sendable () async -> ProbeResult
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var stage = Stage.idle
    private nonisolated(unsafe) var last: (answer: ProbeResult, end: ContinuousClock.Instant)?
    /// How often the store was asked.
    private nonisolated(unsafe) var count = 0

    init(
        timeout: Duration = timeout,
        freshness: Duration = freshness,
        _ ask: @escaping @Sendable () async -> ProbeResult
    ) {
        self.timeout = timeout
        self.freshness = freshness
        self.ask = ask
    }

    func answer() async -> ProbeResult {
        await withCheckedContinuation { asker in
            switch lock.locked({ step(for: asker) }) {
            case .know(let answer): asker.resume(returning: answer)
            case .ask(let number): begin(number)
            case .wait: break
            }
        }
    }

    /// What becomes of somebody who asks.
    private enum Step {
        case know(ProbeResult)
        case ask(Int)
        case wait
    }

    /// Only called while `lock` is held.
    private func step(for asker: Asker) -> Step {
        switch stage {
        case .idle:
            if let last, .now < last.end { return .know(last.answer) }
            count += 1
            stage = .asking([asker])
            return .ask(count)
        case .asking(let askers):
            stage = .asking(askers + [asker])
            return .wait
        case .late: return .know(.silent)
        }
    }

    private func begin(_ number: Int) {
        let timer = Task { [timeout] in
            // Sleeping ends early where the store answered.
            guard (try? await Task.sleep(for: timeout)) != nil else { return }
            giveUp(number)
        }
        Task {
            let answer = await ask()
            timer.cancel()
            end(with: answer)
        }
    }

    /// Tells those who wait that there is no answer, unless it came as their time was up.
    private func giveUp(_ number: Int) {
        tell(.silent) {
            guard number == count, case .asking(let askers) = stage else { return [] }
            stage = .late
            return askers
        }
    }

    private func end(with answer: ProbeResult) {
        tell(answer) {
            last = (answer, .now + freshness)
            defer { stage = .idle }
            return if case .asking(let askers) = stage { askers } else { [] }
        }
    }

    private func tell(_ answer: ProbeResult, _ askers: () -> [Asker]) {
        for asker in lock.locked(askers) { asker.resume(returning: answer) }
    }
}
