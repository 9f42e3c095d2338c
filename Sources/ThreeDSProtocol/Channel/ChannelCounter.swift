import JOSE

/// The number of a message from one side: `000` to `255`.
///
/// In GCM mode it is the last byte of the nonce, so it never has a value twice.
struct ChannelCounter: Equatable, Sendable {
    let value: UInt8

    static let maximumMessages = 256

    /// Nil if that many messages have used all values.
    init?(after messages: Int) {
        guard (0..<Self.maximumMessages).contains(messages) else { return nil }
        value = UInt8(messages)
    }

    /// Three digits.
    var text: String {
        let digits = String(value)
        return String(repeating: "0", count: 3 - digits.utf8.count) + digits
    }

    /// Both sides must never use the same nonce with a key, even if they had the same key.
    func nonce(from side: SecureChannel.Side) -> [UInt8] {
        let filler: UInt8 =
            switch side {
            case .sdk: 0
            case .acs: 0xff
            }
        return [UInt8](repeating: filler, count: JWE.Encryption.a128GCM.nonceByteCount - 1)
            + [value]
    }
}
