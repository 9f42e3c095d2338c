/// Memory that several tasks share: who finds too little left waits, first come, first served.
actor MemoryBudget {
    private struct Waiter {
        let amountKiB: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private var freeKiB: Int
    private var waiting: [Waiter] = []

    var waitingCount: Int { waiting.count }

    init(limitKiB: Int) {
        freeKiB = limitKiB
    }

    /// Takes `amountKiB`, which must not be more than the whole budget.
    func take(_ amountKiB: Int) async {
        // All in the body: a task that prefers another executor may lose its turn before it.
        await withCheckedContinuation { continuation in
            // Nobody overtakes the first in line, or a large request would wait for ever.
            guard waiting.isEmpty, amountKiB <= freeKiB else {
                return waiting.append(Waiter(amountKiB: amountKiB, continuation: continuation))
            }
            freeKiB -= amountKiB
            continuation.resume()
        }
    }

    func giveBack(_ amountKiB: Int) {
        freeKiB += amountKiB
        while let next = waiting.first, next.amountKiB <= freeKiB {
            freeKiB -= next.amountKiB
            waiting.removeFirst().continuation.resume()
        }
    }
}
