import PrivateFiles
import TransactionApproval

/// The rate limit of each client: 120 requests per minute, with bursts of 60, unless given.
///
/// Many requests of a device are written to the audit trail, which is never shortened. So a device
/// key must not be able to fill it at full speed. Each node has a limit of its own, in memory of a
/// fixed size. Only requests of a device with a valid signature count, so strangers cannot use up
/// its limit.
final class RequestLimit: Sendable {
    private struct Entries {
        /// The time at which each client can send a full burst again.
        var recent: [UInt128: Timestamp] = [:]
        var earlier: [UInt128: Timestamp] = [:]
        var turn = Timestamp.earliest
    }

    /// A client may send one more request after this time.
    private let interval: Duration
    /// A client may send a full burst after this idle time.
    private let rest: Duration
    /// In whole seconds.
    static let retryAfterSeconds: UInt32 = 1

    private let capacity: Int
    private let entries = LockedValue(Entries())

    /// Remembers at least `capacity` clients, and at most twice as many.
    ///
    /// A forgotten client can send a full burst.
    init(capacity: Int, interval: Duration = .milliseconds(500), burst: Int = 60) {
        self.capacity = capacity
        self.interval = interval
        rest = interval * burst
    }

    /// Returns false if the device is above its limit; such requests do not count.
    func allows(_ device: DeviceID, at now: Timestamp) -> Bool {
        allows(UInt128(device), at: now)
    }

    /// The same for any client.
    func allows(_ client: UInt128, at now: Timestamp) -> Bool {
        entries.withLock { entries in
            if now >= entries.turn + rest || entries.recent.count >= capacity {
                entries = Entries(earlier: entries.recent, turn: now)
            }
            let known = entries.recent[client] ?? entries.earlier[client] ?? now
            let rested = max(known, now) + interval
            guard rested <= now + rest else { return false }
            entries.recent[client] = rested
            return true
        }
    }
}
