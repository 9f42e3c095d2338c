package import Cryptography

/// Verifies the PIN before another account uses it.
package enum PINCheckExchange: DeviceExchange {
    package static let route = DeviceRoute.pinCheck

    package struct Request: DeviceMessage {
        /// The claim of an activation whose accounts will share the count of wrong codes.
        package let claimDigest: Digest?
        package let envelope: CodeEnvelope

        package init(_ claimDigest: Digest? = nil, envelope: CodeEnvelope) {
            self.claimDigest = claimDigest
            self.envelope = envelope
        }
    }

    package typealias Response = NoContent
}
