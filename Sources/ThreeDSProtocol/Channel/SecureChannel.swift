import StrictJSON

/// The encrypted messages between SDK and ACS during one challenge, seen from one side.
///
/// An ACS makes a channel from its store for each request, in this order:
///
/// 1. Read the row with the key and the state, and `open` the request.
/// 2. Process the message, and `seal` the response.
/// 3. In one transaction, replace the state, and store the bytes of the response and all effects.
/// 4. After the commit, send the response.
///
/// The row takes `replacement.new` only if it still contains `replacement.expected`. Otherwise
/// another node was faster: roll back, send nothing, and begin again with the row. In GCM mode, two
/// nodes would otherwise encrypt different responses with one nonce, which reveals both of them.
///
/// An SDK keeps its channel in memory, and never restores it.
package struct SecureChannel: ~Copyable, Sendable {
    package let side: Side
    /// The identifier that the ACS gave to the challenge.
    package let transactionID: String
    package internal(set) var state: State
    let key: ChannelKey
    private let restored: State

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
        restored = state
    }

    /// The change that the store must contain before a response is sent.
    package var replacement: Replacement {
        Replacement(expected: restored.encoded, new: state.encoded)
    }

    /// A compare-and-swap of the stored state.
    package struct Replacement: Equatable, Sendable {
        /// The row must contain these bytes, or nothing may change.
        package let expected: [UInt8]
        package let new: [UInt8]
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
