import Glibc
package import TransactionApproval

/// The verifier's own time, which never runs backwards and never stands still.
///
/// It takes the wall clock once, no earlier than what the store saw last, and goes on by a clock
/// that counts while the machine sleeps and that nobody can set: no lock is cut short, and no
/// transaction lives longer, because somebody moved the wall clock.
///
/// A store that some clock once ran ahead for, be it by ten years, stays that far ahead: what was
/// to last until then would otherwise end anew. From there its time goes on as time does, since one
/// that stood still until the wall clock came after it would let no lock end and no login expire.
package struct VerifierClock: Sendable {
    private let read: @Sendable () -> Timestamp
    private let lead = Lead()

    /// A clock that tells what `read` gives.
    package init(_ read: @escaping @Sendable () -> Timestamp) {
        self.read = read
    }

    package var now: Timestamp { read() + lead.distance }

    /// The time of a store, which is no earlier than what it saw last.
    package func now(in store: StoreState) -> Timestamp {
        let time = read()
        return time + lead.raised(to: store.audit.moment.elapsed(since: time))
    }

    package static func system(notBefore lastSeen: Timestamp) -> VerifierClock {
        let start = max(.ofWallClock, lastSeen)
        let startedAt = time(of: CLOCK_BOOTTIME)
        return VerifierClock { start + (time(of: CLOCK_BOOTTIME) - startedAt) }
    }
}

extension Timestamp {
    /// What others compare with their own clocks, which the verifier's may be ahead of.
    package static var ofWallClock: Timestamp { .earliest + time(of: CLOCK_REALTIME) }
}

private func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}

/// How far a store was found to be ahead of a clock, which never becomes less.
private final class Lead: Sendable {
    private let lock = Lock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) var value = Duration.zero

    var distance: Duration { lock.locked { value } }

    func raised(to distance: Duration) -> Duration {
        lock.locked {
            value = max(value, distance)
            return value
        }
    }
}
