package import JOSE

/// The reason why encrypted or signed content was not opened or made.
///
/// Content out of its order is refused like a token that is not authentic.
package typealias ChannelFailure = JOSEFailure

extension ChannelFailure {
    /// The error for the sender.
    package var errorCode: MessageErrorCode {
        switch self {
        case .refused: .decryptionFailed
        case .system: .transientFailure
        }
    }
}
