import Glibc
import PrivateFiles
package import TransactionApproval

/// The time of this machine, which does not go back with the wall clock.
///
/// While the wall clock is behind the time, the time follows the boot clock. That one also counts
/// during sleep, and cannot be set. If the wall clock is far behind, it was far ahead before. Then
/// the time goes back once: it would be wrong otherwise until the process ends.
package struct ForwardClock: Sendable {
    /// More than the protocol's longest timer.
    private static let longestLead = Duration.seconds(15 * 60)

    private let wall: @Sendable () -> Timestamp
    private let uptime: @Sendable () -> Duration
    /// A time of the wall clock, from which the boot clock counts.
    private let start: LockedValue<Start>

    private struct Start: Sendable {
        let time: Timestamp
        let uptime: Duration
    }

    package init(
        wall: @escaping @Sendable () -> Timestamp,
        uptime: @escaping @Sendable () -> Duration
    ) {
        (self.wall, self.uptime) = (wall, uptime)
        start = LockedValue(Start(time: wall(), uptime: uptime()))
    }

    package static func system() -> ForwardClock {
        ForwardClock(wall: { .ofWallClock }, uptime: { time(of: CLOCK_BOOTTIME) })
    }

    package var now: Timestamp {
        start.withLock { start in
            // In the other order, an interruption in between would put the time ahead for good.
            let wall = wall()
            let uptime = uptime()
            let time = start.time + (uptime - start.uptime)
            let lead = time.elapsed(since: wall)
            guard lead <= .zero || lead > Self.longestLead else { return time }
            start = Start(time: wall, uptime: uptime)
            return wall
        }
    }
}
