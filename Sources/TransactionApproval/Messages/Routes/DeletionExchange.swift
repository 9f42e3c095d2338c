/// Deletes the device and all its credentials.
package enum DeletionExchange: DeviceExchange {
    package static let route = DeviceRoute.deletion

    package struct Request: DeviceMessage {
        package let attempt: AttemptID

        package init(attempt: AttemptID) {
            self.attempt = attempt
        }
    }

    package typealias Response = NoContent
}
