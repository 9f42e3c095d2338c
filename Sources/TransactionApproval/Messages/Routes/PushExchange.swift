/// Sets how the device is notified.
package enum PushExchange: DeviceExchange {
    package static let route = DeviceRoute.push

    package struct Request: DeviceMessage {
        package let attempt: AttemptID
        package let setting: PushSetting

        package init(attempt: AttemptID, setting: PushSetting) {
            self.attempt = attempt
            self.setting = setting
        }
    }

    package typealias Response = NoContent
}
