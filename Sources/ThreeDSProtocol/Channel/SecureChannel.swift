import StrictJSON

/// The encrypted messages between SDK and ACS during one challenge, seen from one side.
///
/// An ACS makes a channel from its store for each request, in this order:
///
/// 1. Read the row with the key and the state, and `open` the request.
/// 2. Process the message, and `seal` the response.
/// 3. In one transaction, replace the row by one with the new state, the bytes of the response and
///    all effects.
/// 4. After the commit, send the response.
///
/// If the row has another content by then, another node was faster: send nothing, and begin again
/// with the row. In GCM mode, two nodes would otherwise encrypt different responses with one nonce,
/// which reveals both of them.
///
/// An SDK keeps its channel in memory, and never restores it.
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
