/// The push service that wakes a device.
///
/// A connected device gets its event stream with each setting.
package enum PushSetting: Equatable, Sendable {
    /// No push service wakes the device.
    case off
    /// The bank's push service wakes the device.
    case events
    /// Firebase Cloud Messaging.
    case fcm(FCMToken)
    /// The push service of a browser.
    case web(WebPushSubscription)
}

/// In JSON `{"kind":"off"}`, `{"kind":"events"}`, `{"kind":"fcm","token":"…"}` or
/// `{"kind":"web","subscription":{…}}`.
extension PushSetting: Codable {
    private enum CodingKeys: CodingKey {
        case kind, token, subscription
    }

    private enum Kind: String, Codable {
        case off, events, fcm, web
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try members.decode(Kind.self, forKey: .kind) {
            case .off: .off
            case .events: .events
            case .fcm: .fcm(try members.decode(FCMToken.self, forKey: .token))
            case .web:
                .web(try members.decode(WebPushSubscription.self, forKey: .subscription))
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .off: try members.encode(Kind.off, forKey: .kind)
        case .events: try members.encode(Kind.events, forKey: .kind)
        case .fcm(let token):
            try members.encode(Kind.fcm, forKey: .kind)
            try members.encode(token, forKey: .token)
        case .web(let subscription):
            try members.encode(Kind.web, forKey: .kind)
            try members.encode(subscription, forKey: .subscription)
        }
    }
}

/// The address of one installation in FCM.
///
/// Its holder can notify the device.
package struct FCMToken: Equatable, Sendable {
    /// Current tokens have about 160 characters; FCM promises no length.
    package static let maximumByteCount = 1024

    package let text: String

    /// Accepts letters, digits, dashes, underscores and colons.
    package init?(_ text: String) {
        guard
            (1...Self.maximumByteCount).contains(text.utf8.count),
            text.utf8.allSatisfy(isTokenCharacter)
        else { return nil }
        self.text = text
    }
}

extension FCMToken: Codable {
    package init(from decoder: any Decoder) throws {
        self = try decoder.value(of: String.self) { Self($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.write(text)
    }
}

extension FCMToken: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

private func isTokenCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ":"):
        true
    default: false
    }
}
