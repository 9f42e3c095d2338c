package import TransactionApproval

/// The wrong codes of one credential, or of all user credentials with the same PIN.
///
/// Every computed wrong code counts, from the device and from the bank. Time is the verifier's
/// clock, which never runs backwards.
package struct FailureCount: Equatable, Sendable {
    package enum Lock: Equatable, Sendable {
        case none
        case until(Timestamp)
        case permanent
    }

    /// Whether a code is computed now.
    package enum Status: Equatable, Sendable {
        case open(attemptsLeft: Int)
        case locked(until: Timestamp)
        case blocked
    }

    /// The effect of one more wrong code.
    package enum Consequence: Equatable, Sendable {
        case counted(attemptsLeft: Int)
        case locked(until: Timestamp)
        case blocked
    }

    /// The bank is notified after this many wrong codes in a row, because a person mistypes twice.
    static let alarming = 3

    /// Since the last right code or the last lock.
    package private(set) var consecutiveFailures = 0
    /// Locks since the last right code.
    package private(set) var consecutiveLocks = 0
    /// The times of the wrong codes in the long window, oldest first.
    ///
    /// A right code does not remove them.
    package private(set) var moments: [Timestamp] = []
    package private(set) var lock = Lock.none

    package init() {}

    /// Restores a stored count.
    package init(
        consecutiveFailures: Int,
        consecutiveLocks: Int,
        moments: [Timestamp],
        lock: Lock
    ) {
        self.consecutiveFailures = consecutiveFailures
        self.consecutiveLocks = consecutiveLocks
        self.moments = moments
        self.lock = lock
    }

    package func status(at now: Timestamp, by policy: LockPolicy) -> Status {
        switch lock {
        case .permanent: .blocked
        case .until(let end) where now < end: .locked(until: end)
        case .until, .none: .open(attemptsLeft: attemptsLeft(at: now, by: policy))
        }
    }

    package mutating func fail(at now: Timestamp, by policy: LockPolicy) -> Consequence {
        moments = moments(at: now, by: policy) + [now]
        consecutiveFailures += 1
        if moments.count >= policy.failuresInWindow { return block() }
        guard consecutiveFailures >= policy.failuresBeforeLock else {
            return .counted(attemptsLeft: attemptsLeft(at: now, by: policy))
        }
        guard consecutiveLocks < policy.temporaryLocks else { return block() }
        // A rejection counts during a lock, whose policy may have changed.
        var end = now + policy.firstLock * (1 << consecutiveLocks)
        if case .until(let former) = lock { end = max(end, former) }
        consecutiveFailures = 0
        consecutiveLocks += 1
        lock = .until(end)
        return .locked(until: end)
    }

    /// Resets the wrong codes in a row after a right one; those of the long window stay.
    package mutating func succeed() {
        consecutiveFailures = 0
        consecutiveLocks = 0
        lock = .none
    }

    /// Ends a temporary lock; returns false if there is none.
    ///
    /// The number of locks stays, so the next lock is as long as it would have been.
    package mutating func unlock(at now: Timestamp) -> Bool {
        guard case .until(let end) = lock, now < end else { return false }
        lock = .none
        return true
    }

    package mutating func block() -> Consequence {
        lock = .permanent
        return .blocked
    }

    /// Whether the next lock is permanent.
    package func isLastChance(at now: Timestamp, by policy: LockPolicy) -> Bool {
        consecutiveLocks >= policy.temporaryLocks
            || policy.failuresInWindow - moments(at: now, by: policy).count
                <= policy.failuresBeforeLock
    }

    private func attemptsLeft(at now: Timestamp, by policy: LockPolicy) -> Int {
        let windowLeft = policy.failuresInWindow - moments(at: now, by: policy).count
        // A stricter policy can leave no attempts; the next wrong code then locks.
        return max(1, min(policy.failuresBeforeLock - consecutiveFailures, windowLeft))
    }

    private func moments(at now: Timestamp, by policy: LockPolicy) -> [Timestamp] {
        Array(moments.drop { $0 + policy.window <= now })
    }
}
