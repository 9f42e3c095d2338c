import Synchronization
import Testing

@testable import Cryptography

@Suite struct `A budget of memory` {
    @Test func `is given first come, first served`() async throws {
        let budget = MemoryBudget(limitKiB: 10)
        let served = Record()
        await budget.take(10)
        // Runs at once until it has to wait, so that tasks stand in line as they were made.
        let ask = { (amount: Int) in
            Task.immediate {
                await budget.take(amount)
                served.amounts.withLock { $0.append(amount) }
            }
        }
        let (first, second) = (ask(8), ask(1))
        budget.giveBack(7)
        let third = ask(2)
        // Where somebody overtook, the first would wait for ever: look no further.
        try #require(served.amounts.withLock { $0 } == [])
        budget.giveBack(1)
        await first.value
        #expect(served.amounts.withLock { $0 } == [8])
        budget.giveBack(1)
        await second.value
        #expect(served.amounts.withLock { $0 } == [8, 1])
        budget.giveBack(10)
        await third.value
        await ask(8).value
        #expect(served.amounts.withLock { $0 } == [8, 1, 2, 8])
    }

    @Test func `is never overdrawn by a hundred tasks, and serves them all`() async {
        let budget = MemoryBudget(limitKiB: 100)
        let used = Record()
        await withTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    let amount = number * 37 % 100 + 1
                    await budget.take(amount)
                    used.amounts.withLock { $0.append(($0.last ?? 0) + amount) }
                    for _ in 0..<10 { await Task.yield() }
                    used.amounts.withLock { $0.append(($0.last ?? 0) - amount) }
                    budget.giveBack(amount)
                }
            }
        }
        let amounts = used.amounts.withLock { $0 }
        #expect(amounts.count == 200)
        #expect(amounts.last == 0)
        #expect((51...100).contains(amounts.max() ?? 0), "shared by several, never overdrawn")
        await budget.take(100)
    }
}

/// What tasks note down in the order in which they come.
private final class Record: Sendable {
    let amounts = Mutex<[Int]>([])
}
