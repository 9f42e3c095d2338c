import Testing
import TransactionApproval
import Verification

private let policy = LockPolicy.default
private let start = Timestamp.latest - .seconds(1_000_000_000)
private let minute = Duration.seconds(60)
private let day = minute * 60 * 24

@Suite struct `Counting wrong codes` {
    @Test func `SEC-09: five wrong codes in a row lock, four do not`() {
        var count = FailureCount()
        for left in [4, 3, 2, 1] {
            #expect(count.fail(at: start, by: policy) == .counted(attemptsLeft: left))
            #expect(count.status(at: start, by: policy) == .open(attemptsLeft: left))
        }
        #expect(count.fail(at: start, by: policy) == .locked(until: start + minute * 30))
    }

    @Test func `SEC-10: a lock ends after exactly 30 minutes`() {
        var count = FailureCount()
        count.failUntilLocked(at: start)
        let end = start + minute * 30
        #expect(count.status(at: end - .milliseconds(1), by: policy) == .locked(until: end))
        #expect(count.status(at: end, by: policy) == .open(attemptsLeft: 5))
    }

    @Test func `SEC-10: the second lock is twice as long and the third is permanent`() {
        var count = FailureCount()
        count.failUntilLocked(at: start)
        let second = start + minute * 30
        count.failUntilLocked(at: second)
        #expect(count.lock == .until(second + minute * 60))
        count.failUntilLocked(at: second + minute * 60)
        #expect(count.lock == .permanent)
        #expect(count.status(at: .latest, by: policy) == .blocked)
    }

    /// A rejection counts during a lock, and the bank can have shortened the locks meanwhile.
    @Test func `SEC-10: more wrong codes never shorten a lock`() throws {
        let long = try #require(LockPolicy(firstLock: minute * 60 * 12))
        var count = FailureCount()
        for _ in 1...5 { _ = count.fail(at: start, by: long) }
        let end = start + minute * 60 * 12
        #expect(count.lock == .until(end))
        for _ in 1...5 { _ = count.fail(at: start, by: policy) }
        #expect(count.lock == .until(end))
    }

    @Test func `SEC-11: right codes do not reset the long window`() {
        var count = FailureCount()
        var failures = 0
        while count.lock != .permanent {
            if failures % 4 == 0 { count.succeed() }
            _ = count.fail(at: start, by: policy)
            failures += 1
        }
        #expect(failures == 30)
    }

    @Test func `SEC-11: a wrong code leaves the long window after exactly 30 days`() {
        var count = FailureCount()
        for index in 0..<29 {
            count.succeed()
            _ = count.fail(at: start + .seconds(index), by: policy)
        }
        count.succeed()
        var early = count
        #expect(early.fail(at: start + day * 30 - .milliseconds(1), by: policy) == .blocked)
        #expect(count.fail(at: start + day * 30, by: policy) == .counted(attemptsLeft: 1))
    }

    @Test func `a right code resets the row and the growth of locks`() {
        var count = FailureCount()
        count.failUntilLocked(at: start)
        count.succeed()
        #expect(count.status(at: start, by: policy) == .open(attemptsLeft: 5))
        let later = start + minute
        count.failUntilLocked(at: later)
        #expect(count.lock == .until(later + minute * 30))
    }

    @Test func `unlocking ends a temporary lock and keeps the growth of locks`() {
        var count = FailureCount()
        #expect(count.unlock(at: start) == false)
        count.failUntilLocked(at: start)
        #expect(count.unlock(at: start) == true)
        #expect(count.status(at: start, by: policy) == .open(attemptsLeft: 5))
        count.failUntilLocked(at: start)
        #expect(count.lock == .until(start + minute * 60))
    }

    @Test func `unlocking never ends a permanent lock`() {
        var count = FailureCount()
        _ = count.block()
        #expect(count.unlock(at: start) == false)
        #expect(count.status(at: .latest, by: policy) == .blocked)
    }

    @Test func `SEC-09: the last chance is known before the permanent lock`() {
        var count = FailureCount()
        #expect(!count.isLastChance(at: start, by: policy))
        count.failUntilLocked(at: start)
        #expect(!count.isLastChance(at: start, by: policy))
        count.failUntilLocked(at: start + minute * 30)
        #expect(count.isLastChance(at: start + minute * 90, by: policy))

        var slow = FailureCount()
        for _ in 0..<25 {
            #expect(!slow.isLastChance(at: start, by: policy))
            slow.succeed()
            _ = slow.fail(at: start, by: policy)
        }
        #expect(slow.isLastChance(at: start, by: policy))
    }
}

extension FailureCount {
    fileprivate mutating func failUntilLocked(at now: Timestamp) {
        for _ in 0..<5 { _ = fail(at: now, by: policy) }
    }
}

@Suite struct `Lock policies` {
    @Test func `a policy can be stricter than the default`() throws {
        let strict = try #require(
            LockPolicy(
                failuresBeforeLock: 3,
                firstLock: minute * 60,
                temporaryLocks: 0,
                failuresInWindow: 10,
                window: day * 60
            )
        )
        var count = FailureCount()
        #expect(count.fail(at: start, by: strict) == .counted(attemptsLeft: 2))
        #expect(count.fail(at: start, by: strict) == .counted(attemptsLeft: 1))
        #expect(count.fail(at: start, by: strict) == .blocked)
    }

    @Test func `a policy that is laxer than the default is refused`() {
        #expect(LockPolicy() == .default)
        #expect(LockPolicy(failuresBeforeLock: 6) == nil)
        #expect(LockPolicy(failuresBeforeLock: 0) == nil)
        #expect(LockPolicy(firstLock: minute * 30 - .milliseconds(1)) == nil)
        #expect(LockPolicy(temporaryLocks: 3) == nil)
        #expect(LockPolicy(failuresInWindow: 31) == nil)
        #expect(LockPolicy(failuresInWindow: 4) == nil)
        #expect(LockPolicy(window: day * 30 - .milliseconds(1)) == nil)
    }
}
