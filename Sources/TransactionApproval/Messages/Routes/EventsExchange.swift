/// Opens a stream of notifications, see `StreamHead` and `EventStream`.
package enum EventsExchange: DeviceExchange {
    package static let route = DeviceRoute.events

    package typealias Request = NoContent

    package typealias Response = NoMessage
}
