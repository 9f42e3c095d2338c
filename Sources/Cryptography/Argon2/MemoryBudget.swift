/// Memory that several tasks share. A task waits if too little is left; the order is first come,
/// first served.
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

    /// Takes `amountKiB`, which must not exceed the whole budget.
    func take(_ amountKiB: Int) async {
        // Everything is in the body: a task that prefers another executor may lose its turn before
        // it.
        await withCheckedContinuation { continuation in
            // No request may overtake the first in line: a large request would wait forever.
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
