/// Verifies the PIN before another account uses it.
package enum PINCheckExchange: DeviceExchange {
    package static let route = DeviceRoute.pinCheck

    package struct Request: DeviceMessage {
        package let envelope: CodeEnvelope

        package init(envelope: CodeEnvelope) {
            self.envelope = envelope
        }
    }

    package typealias Response = NoContent
}
