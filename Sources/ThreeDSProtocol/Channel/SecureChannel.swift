import StrictJSON

/// The encrypted messages between SDK and ACS during one challenge, seen from one side.
///
/// Commit `state` after each call, before a message is sent or processed. Otherwise, after a crash,
/// two different messages could have the same counter.
package struct SecureChannel: ~Copyable, Sendable {
    package let side: Side
    /// The identifier that the ACS gave to the challenge.
    package let transactionID: String
    package internal(set) var state: State
    let key: ChannelKey

    /// Begins a channel, or continues one with the state and the key that were stored.
    package init(
        of side: Side,
        _ key: consuming ChannelKey,
        transactionID: String,
        state: State
    ) {
        self.side = side
        self.key = key
        self.transactionID = transactionID
        self.state = state
    }

    package enum Side: CaseIterable, Sendable {
        case sdk, acs

        var other: Side {
            switch self {
            case .sdk: .acs
            case .acs: .sdk
            }
        }

        /// The type of the messages that this side sends.
        package var messageType: MessageType {
            switch self {
            case .sdk: .creq
            case .acs: .cres
            }
        }

        var counterName: String {
            switch self {
            case .sdk: "sdkCounterStoA"
            case .acs: "acsCounterAtoS"
            }
        }

        /// Base64url has four characters for three bytes; the rest is for the header and the tag.
        package var maximumByteCount: Int {
            (messageType.limits.byteCount + 2) / 3 * 4 + 1024
        }
    }
}
