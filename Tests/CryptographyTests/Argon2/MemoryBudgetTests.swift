import TestSupport
import Testing

@testable import Cryptography

@Suite struct `A memory budget` {
    @Test func `serves tasks in the order of their requests`() async throws {
        let budget = MemoryBudget(limitKiB: 10)
        let served = Record()
        await budget.take(10)
        let first = try await requestMemory(8, of: budget, in: served, place: 1)
        let second = try await requestMemory(1, of: budget, in: served, place: 2)
        await budget.giveBack(7)
        let third = try await requestMemory(2, of: budget, in: served, place: 3)
        // If a task overtook the first one, the first one would wait forever: stop here.
        try #require(await served.amounts == [])
        await budget.giveBack(1)
        await first.value
        #expect(await served.amounts == [8])
        await budget.giveBack(1)
        await second.value
        #expect(await served.amounts == [8, 1])
        await budget.giveBack(10)
        await third.value
        await budget.take(8)
        #expect(await served.amounts == [8, 1, 2])
    }

    @Test func `never exceeds its limit, and serves a hundred tasks`() async {
        let budget = MemoryBudget(limitKiB: 100)
        let used = Record()
        await withTaskGroup { group in
            for number in 0..<100 {
                group.addTask {
                    let amount = number * 37 % 100 + 1
                    await budget.take(amount)
                    await used.addToLast(amount)
                    for _ in 0..<10 { await Task.yield() }
                    await used.addToLast(-amount)
                    await budget.giveBack(amount)
                }
            }
        }
        let amounts = await used.amounts
        #expect(amounts.count == 200)
        #expect(amounts.last == 0)
        #expect((51...100).contains(amounts.max() ?? 0), "shared by several, never overdrawn")
        await budget.take(100)
    }

    /// Requests in a new task, and returns when that task is in the queue.
    private func requestMemory(
        _ amount: Int,
        of budget: MemoryBudget,
        in served: Record,
        place: Int
    ) async throws -> Task<Void, Never> {
        let task = Task {
            await budget.take(amount)
            await served.append(amount)
        }
        try await waitUntil { await budget.waitingCount >= place }
        return task
    }
}

/// Records the tasks in the order of their completion.
private actor Record {
    private(set) var amounts: [Int] = []

    func append(_ amount: Int) {
        amounts.append(amount)
    }

    func addToLast(_ amount: Int) {
        amounts.append((amounts.last ?? 0) + amount)
    }
}
