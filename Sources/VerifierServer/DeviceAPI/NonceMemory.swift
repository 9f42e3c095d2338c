import PrivateFiles
import TransactionApproval

/// Remembers nonces, so that each request counts once while its signature is valid.
///
/// Each node has its own memory of a fixed size. That is enough: every change carries an attempt
/// id, which the store keeps. A replay at another node, after a restart or after an overflow gets
/// the same verdict and changes nothing. This memory only prevents that a recorded request is sent
/// repeatedly to put load on the verifier.
final class NonceMemory: Sendable {
    private struct Entry: Hashable {
        let device: UInt128
        let nonce: UInt128
    }

    private struct Entries {
        var recent: Set<Entry> = []
        var earlier: Set<Entry> = []
        var turn = Timestamp.earliest
    }

    private let capacity: Int
    private let entries = LockedValue(Entries())

    /// A signature can be made ahead by the maximum skew, and is valid for as long afterwards.
    static let span = UnverifiedRequest.maximumClockSkew * 2

    /// Remembers at least `capacity` requests, and at most twice as many.
    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Returns false for a repeated request.
    func isFirst(_ parameters: DeviceSignatureParameters, at now: Timestamp) -> Bool {
        let entry = Entry(
            device: UInt128(parameters.deviceID),
            nonce: UInt128(parameters.nonce)
        )
        return entries.withLock { entries in
            if now >= entries.turn + Self.span || entries.recent.count >= capacity {
                entries = Entries(earlier: entries.recent, turn: now)
            }
            return !entries.earlier.contains(entry) && entries.recent.insert(entry).inserted
        }
    }
}

extension UInt128 {
    /// From the identifier's 16 bytes.
    init(_ identifier: some HexadecimalIdentifier) {
        self = identifier.bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }
}
