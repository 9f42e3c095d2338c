import Glibc
package import TransactionApproval

/// The verifier's own time, which never runs backwards and never stands still.
///
/// It takes the wall clock once, no earlier than what the store saw last, and goes on by a clock
/// that counts while the machine sleeps and that nobody can set: no lock is cut short, and no
/// transaction lives longer, because somebody moved the wall clock.
package struct VerifierClock: Sendable {
    private let read: @Sendable () -> Timestamp

    /// A clock that tells what `read` gives.
    package init(_ read: @escaping @Sendable () -> Timestamp) {
        self.read = read
    }

    package var now: Timestamp { read() }

    package static func system(notBefore lastSeen: Timestamp) -> VerifierClock {
        let start = max(wallClock(), lastSeen)
        let startedAt = uptime()
        return VerifierClock { start + (uptime() - startedAt) }
    }

    private static func wallClock() -> Timestamp {
        let time = time(of: CLOCK_REALTIME)
        return .earliest + time
    }

    private static func uptime() -> Duration { time(of: CLOCK_BOOTTIME) }

    private static func time(of clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
