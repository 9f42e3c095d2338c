import TransactionApproval

/// Remembers nonces, so that each request counts once while its signature is valid.
///
/// Each node has its own memory of a fixed size. That is enough: every change carries an attempt
/// id, which the store keeps. A replay at another node, after a restart or after an overflow gets
/// the same verdict and changes nothing. This memory only prevents that a recorded request is sent
/// repeatedly to put load on the verifier.
actor NonceMemory {
    private struct Entry: Hashable {
        let device: UInt128
        let nonce: UInt128
    }

    private let capacity: Int
    private var recent: Set<Entry> = []
    private var earlier: Set<Entry> = []
    private var turn = Timestamp.earliest

    /// A signature can be made ahead by the maximum skew, and is valid for as long afterwards.
    static let span = UnverifiedRequest.maximumClockSkew * 2

    /// Remembers at least `capacity` requests, and at most twice as many.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Returns false for a repeated request.
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
    /// From the identifier's 16 bytes.
    init(_ identifier: some HexadecimalIdentifier) {
        self = identifier.bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }
}
