/// How many wrong codes are allowed, and how long a lock lasts (SEC-09 to SEC-11).
///
/// An enterprise can be stricter than the default but not laxer, because law and payment schemes set
/// these limits.
package struct LockPolicy: Equatable, Sendable {
    /// Wrong codes in a row that lock a credential (PSD2 RTS, article 4(3)(b): maximum 5).
    package let failuresBeforeLock: Int
    /// The first lock's duration (PCI DSS 8.3.4: minimum 30 minutes).
    ///
    /// Each next one is twice as long.
    package let firstLock: Duration
    /// How many locks in a row are temporary; the next one is permanent.
    package let temporaryLocks: Int
    /// Wrong codes within `window` that lock for good, even with right codes in between.
    package let failuresInWindow: Int
    package let window: Duration

    package static let `default` = LockPolicy(
        checkedFailuresBeforeLock: 5,
        firstLock: .seconds(30 * 60),
        temporaryLocks: 2,
        failuresInWindow: 30,
        window: .seconds(30 * 24 * 60 * 60)
    )

    /// Nil if a value is out of its range.
    package init?(
        failuresBeforeLock: Int = `default`.failuresBeforeLock,
        firstLock: Duration = `default`.firstLock,
        temporaryLocks: Int = `default`.temporaryLocks,
        failuresInWindow: Int = `default`.failuresInWindow,
        window: Duration = `default`.window
    ) {
        guard
            Self.failureRange.contains(failuresBeforeLock),
            Self.firstLockRange.contains(firstLock),
            Self.temporaryLockRange.contains(temporaryLocks),
            (failuresBeforeLock...Self.default.failuresInWindow).contains(failuresInWindow),
            Self.windowRange.contains(window)
        else { return nil }
        self.init(
            checkedFailuresBeforeLock: failuresBeforeLock,
            firstLock: firstLock,
            temporaryLocks: temporaryLocks,
            failuresInWindow: failuresInWindow,
            window: window
        )
    }

    private init(
        checkedFailuresBeforeLock failuresBeforeLock: Int,
        firstLock: Duration,
        temporaryLocks: Int,
        failuresInWindow: Int,
        window: Duration
    ) {
        self.failuresBeforeLock = failuresBeforeLock
        self.firstLock = firstLock
        self.temporaryLocks = temporaryLocks
        self.failuresInWindow = failuresInWindow
        self.window = window
    }

    static let failureRange = 1...`default`.failuresBeforeLock
    static let temporaryLockRange = 0...`default`.temporaryLocks
    /// In seconds.
    static let firstLockRange = 30 * 60...24 * 60 * 60
    /// In seconds.
    static let windowRange = 30 * 24 * 60 * 60...365 * 24 * 60 * 60

    /// The number of guesses until the permanent lock.
    var failuresBeforeBlock: Int {
        min(failuresBeforeLock * (temporaryLocks + 1), failuresInWindow)
    }
}

extension ClosedRange<Int> {
    fileprivate func contains(_ duration: Duration) -> Bool {
        (Duration.seconds(lowerBound)...(.seconds(upperBound))).contains(duration)
    }
}
