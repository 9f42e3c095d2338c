/// Wakes the device whenever something waits for its account, for as long as it listens.
///
/// What is done is no message but a stream, which `StreamOpening` begins and `EventStream` describes.
package enum EventsExchange: DeviceExchange {
    package static let route = DeviceRoute.events

    package typealias Request = NoContent

    package typealias Response = NoMessage
}
