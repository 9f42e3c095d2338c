/// The end of this device: none of its credentials is good for anything afterwards.
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
