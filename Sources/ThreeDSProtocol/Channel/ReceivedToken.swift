import Cryptography
import JOSE

/// A message of a secure channel as it arrived, which is parsed and hashed once.
package struct ReceivedToken: Sendable {
    /// A failure for a text that is malformed.
    let token: Result<JWE, JOSEFailure>
    /// The SHA-256 of the text.
    let digest: [UInt8]

    package init(_ text: [UInt8], from side: SecureChannel.Side) throws(ChannelFailure) {
        digest = try orRefused(HashAlgorithm.sha256.digest(of: text.span)).array
        token = Result { () throws(JOSEFailure) in
            try JWE(reading: text, maximumByteCount: side.maximumByteCount)
        }
    }

    /// The identifier that the message claims, to find its channel; nil if it has none.
    package var claimedTransactionID: String? {
        // A malformed message is an expected input, so the reason is not needed: `try?`.
        (try? token.get())?.keyID
    }
}
