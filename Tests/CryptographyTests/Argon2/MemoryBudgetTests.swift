import Synchronization
import Testing

@testable import Cryptography

@Suite struct `A budget of memory` {
    @Test func `is given first come, first served`() async {
        let budget = MemoryBudget(limitKiB: 10)
        let served = Record()
        await budget.take(10)
        // Each runs at once until it has to wait, so they stand in line in this order.
        let waiting = [8, 1, 9, 1].map { amount in
            Task.immediate {
                await budget.take(amount)
                served.amounts.withLock { $0.append(amount) }
            }
        }
        #expect(served.amounts.withLock { $0 } == [])
        budget.giveBack(7)
        #expect(
            served.amounts.withLock { $0 } == [],
            "8 is first in line, so 1 does not overtake it"
        )
        budget.giveBack(1)
        await waiting[0].value
        #expect(served.amounts.withLock { $0 } == [8])
        budget.giveBack(1)
        await waiting[1].value
        #expect(served.amounts.withLock { $0 } == [8, 1])
        budget.giveBack(10)
        await waiting[2].value
        await waiting[3].value
        #expect(served.amounts.withLock { $0.sorted() } == [1, 1, 8, 9])
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
