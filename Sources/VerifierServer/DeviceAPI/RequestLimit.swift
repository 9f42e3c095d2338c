import TransactionApproval

/// How often one device may ask: 120 times a minute, and 60 times at once after a rest.
///
/// Much of what a device asks for is written to a trail that is never shortened, so whoever has a
/// device's key must not be able to fill it as fast as the verifier writes. Every node has a limit
/// of its own, in memory, of a fixed size. Only what the stored key of a device signed is counted:
/// nobody else can use up what is the device's.
actor RequestLimit {
    /// After which a device may ask once more.
    private static let interval = Duration.milliseconds(500)
    /// After which a device that asked nothing may ask as often as ever.
    private static let rest = interval * 60
    /// What a device is told to wait, in whole seconds.
    static let retryAfterSeconds: UInt32 = 1

    private let capacity: Int
    /// When each device has rested, by its id.
    private var recent: [UInt128: Timestamp] = [:]
    private var earlier: [UInt128: Timestamp] = [:]
    private var turn = Timestamp.earliest

    /// Remembers `capacity` devices at least and twice as many at most; who is forgotten has
    /// rested, unless more than that ask within the time that a rest takes.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// False where it asks too often, which does not count.
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
