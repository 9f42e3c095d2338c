import TransactionApproval

/// Which requests came before: each device's nonce counts once while its signature is about now.
///
/// Every node has one of its own, in memory, of a fixed size. That is enough: what changes anything
/// carries an attempt id, which the common store keeps, so a replay to another node, after a restart
/// or after this memory ran over is told what the first was told and changes nothing, and what only
/// reads tells the holder of the request's bytes no more than the next one would tell the device. A
/// claim of an activation is offered the same while it counts. What this memory adds is that a
/// recorded request cannot be sent again and again to make the verifier do its work. One whose time
/// is over is told so each time: that costs a look for the device's key and two signatures.
actor NonceMemory {
    private struct Entry: Hashable {
        let device: UInt128
        let nonce: UInt128
    }

    private let capacity: Int
    private var recent: Set<Entry> = []
    private var earlier: Set<Entry> = []
    private var turn = Timestamp.earliest

    /// A signature may be made ahead by the largest skew, and is good until behind by as much.
    static let span = UnverifiedRequest.maximumClockSkew * 2

    /// Remembers `capacity` requests at least and twice as many at most.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// False where the request came before.
    func isFirst(_ parameters: DeviceSignatureParameters, at now: Timestamp) -> Bool {
        if now >= turn + Self.span || recent.count >= capacity {
            (earlier, recent, turn) = (recent, [], now)
        }
        let entry = Entry(
            device: UInt128(parameters.deviceID),
            nonce: UInt128(parameters.nonce)
        )
        return !earlier.contains(entry) && recent.insert(entry).inserted
    }
}

extension UInt128 {
    /// The identifier's 16 bytes.
    init(_ identifier: some HexadecimalIdentifier) {
        self = identifier.bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }
}
