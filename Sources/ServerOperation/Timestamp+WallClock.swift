import Glibc
import PrivateFiles
package import TransactionApproval

extension Timestamp {
    /// The time of this machine, which an administrator can change; the verifier's time may be
    /// ahead of it.
    package static var ofWallClock: Timestamp { .earliest + time(of: CLOCK_REALTIME) }
}
