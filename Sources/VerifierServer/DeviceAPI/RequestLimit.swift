import TransactionApproval

/// The rate limit of a device: 120 requests per minute, with bursts of 60.
///
/// Many requests are written to the audit trail, which is never shortened. So a device key must not
/// be able to fill it at full speed. Each node has a limit of its own, in memory of a fixed size.
/// Only requests with a valid signature count, so strangers cannot use up a device's limit.
actor RequestLimit {
    /// A device may send one more request after this time.
    private static let interval = Duration.milliseconds(500)
    /// A device may send a full burst after this idle time.
    private static let rest = interval * 60
    /// In whole seconds.
    static let retryAfterSeconds: UInt32 = 1

    private let capacity: Int
    /// The time at which each device can send a full burst again.
    private var recent: [UInt128: Timestamp] = [:]
    private var earlier: [UInt128: Timestamp] = [:]
    private var turn = Timestamp.earliest

    /// Remembers at least `capacity` devices, and at most twice as many.
    ///
    /// A forgotten device can send a full burst.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Returns false if the device is above its limit; such requests do not count.
    func allows(_ device: DeviceID, at now: Timestamp) -> Bool {
        if now >= turn + Self.rest || recent.count >= capacity {
            (earlier, recent, turn) = (recent, [:], now)
        }
        let device = UInt128(device)
        let rested = max(recent[device] ?? earlier[device] ?? now, now) + Self.interval
        guard rested <= now + Self.rest else { return false }
        recent[device] = rested
        return true
    }
}
