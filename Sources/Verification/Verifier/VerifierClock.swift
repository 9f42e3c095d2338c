import Glibc
import PrivateFiles
package import TransactionApproval

/// The verifier's own time, which never runs backwards and never stops.
///
/// It starts at the wall clock, or at the store's last time if that is later. Then it follows the
/// boot clock, which also counts during sleep and cannot be set. So a changed wall clock cannot
/// shorten a lock or extend a transaction.
///
/// A store whose time was ahead once stays ahead by that distance. Otherwise its locks would
/// restart, or its time would stop until the wall clock catches up.
package struct VerifierClock: Sendable {
    private let read: @Sendable () -> Timestamp
    private let lead = ClockOffset()

    package init(_ read: @escaping @Sendable () -> Timestamp) {
        self.read = read
    }

    package var now: Timestamp { read() + lead.distance }

    /// The store's time, at least the time that it saw last.
    package func now(in store: StoreState) -> Timestamp {
        let time = read()
        return time + lead.raised(to: store.audit.moment.elapsed(since: time))
    }

    /// The maximum time between the last record and a start without an operator's word.
    ///
    /// A clock that is wrong by years would expire everything, and the store would keep its time. A
    /// verifier that runs leaves no gap of more than `maximumQuiet` and the interval of the check.
    package static let maximumPause = Duration.seconds(24 * 60 * 60)

    /// The age of the last record from which a verifier records the time.
    package static let maximumQuiet = Duration.seconds(60 * 60)

    package static func system(notBefore lastSeen: Timestamp) -> VerifierClock {
        let start = max(.earliest + time(of: CLOCK_REALTIME), lastSeen)
        let startedAt = time(of: CLOCK_BOOTTIME)
        return VerifierClock { start + (time(of: CLOCK_BOOTTIME) - startedAt) }
    }
}

/// How far a store is ahead of a clock; it never decreases.
private final class ClockOffset: Sendable {
    private let value = LockedValue(Duration.zero)

    var distance: Duration { value.withLock { $0 } }

    func raised(to distance: Duration) -> Duration {
        value.withLock { value in
            value = max(value, distance)
            return value
        }
    }
}
