/// Removes the biometric credential; succeeds if there is none.
package enum BiometricRemovalExchange: DeviceExchange {
    package static let route = DeviceRoute.biometricRemoval

    package struct Request: DeviceMessage {
        package let attempt: AttemptID

        package init(attempt: AttemptID) {
            self.attempt = attempt
        }
    }

    package typealias Response = NoContent
}
