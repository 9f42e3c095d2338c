import Glibc
package import TransactionApproval

extension Timestamp {
    /// The time of this machine, which an administrator can change; the verifier's time may be
    /// ahead of it.
    package static var ofWallClock: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return .earliest + (.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }
}
