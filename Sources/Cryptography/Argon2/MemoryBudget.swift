import Synchronization

/// Memory that several tasks share: who finds too little left waits, first come, first served.
final class MemoryBudget: Sendable {
    private struct State {
        var freeKiB: Int
        var waiting: [Waiter] = []

        /// Nobody overtakes the first in line, or a large request would wait for ever.
        mutating func serveWaiting() -> [Waiter] {
            var served: [Waiter] = []
            while let next = waiting.first, next.amountKiB <= freeKiB {
                freeKiB -= next.amountKiB
                served.append(waiting.removeFirst())
            }
            return served
        }
    }

    private struct Waiter {
        let amountKiB: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private let state: Mutex<State>

    init(limitKiB: Int) {
        state = Mutex(State(freeKiB: limitKiB))
    }

    /// Takes `amountKiB`, which must not be more than the whole budget.
    func take(_ amountKiB: Int) async {
        await withCheckedContinuation { continuation in
            let taken = state.withLock { state in
                guard state.waiting.isEmpty, state.freeKiB >= amountKiB else {
                    state.waiting.append(
                        Waiter(amountKiB: amountKiB, continuation: continuation)
                    )
                    return false
                }
                state.freeKiB -= amountKiB
                return true
            }
            if taken { continuation.resume() }
        }
    }

    func giveBack(_ amountKiB: Int) {
        let served = state.withLock { state in
            state.freeKiB += amountKiB
            return state.serveWaiting()
        }
        for waiter in served { waiter.continuation.resume() }
    }
}
