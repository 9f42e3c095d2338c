import Glibc
import PrivateFiles
package import TransactionApproval

/// The time of this machine, which never goes back and never stops.
///
/// While the wall clock is behind a time that was read before, the time follows the boot clock. That
/// one also counts during sleep, and cannot be set.
package struct ForwardClock: Sendable {
    private let wall: @Sendable () -> Timestamp
    private let uptime: @Sendable () -> Duration
    private let last: LockedValue<Reading>

    private struct Reading: Sendable {
        let time: Timestamp
        let uptime: Duration
    }

    package init(
        wall: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> Duration
    ) {
        (self.wall, self.uptime) = (wall, uptime)
        last = LockedValue(Reading(time: wall(), uptime: uptime()))
    }

    package static func system() -> ForwardClock {
        ForwardClock(wall: { .ofWallClock }, uptime: { time(of: CLOCK_BOOTTIME) })
    }

    package var now: Timestamp {
        last.withLock { last in
            // In the other order, an interruption in between would put the time ahead for good.
            let wall = wall()
            let uptime = uptime()
            let time = max(wall, last.time + (uptime - last.uptime))
            last = Reading(time: time, uptime: uptime)
            return time
        }
    }
}

private func time(of clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
