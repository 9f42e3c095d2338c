/// Combinations of a message, a channel and a category.
struct Occasions: OptionSet, Sendable {
    /// One bit for each of the 54 combinations.
    let rawValue: UInt64

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(
        _ messages: [MessageType],
        _ channels: [DeviceChannel],
        _ categories: [MessageCategory]
    ) {
        var ofEachMessage: UInt64 = 0
        var bitCount = 0
        for channel in DeviceChannel.allCases {
            let isMeant = channels.contains(channel)
            for category in MessageCategory.allCases {
                if isMeant, categories.contains(category) { ofEachMessage |= 1 << bitCount }
                bitCount += 1
            }
        }
        var bits: UInt64 = 0
        for message in MessageType.allCases {
            bits <<= bitCount
            if messages.contains(message) { bits |= ofEachMessage }
        }
        rawValue = bits
    }

    /// An unknown channel could be each of them, and so could an unknown category.
    init(_ message: MessageType, _ channel: DeviceChannel?, _ category: MessageCategory?) {
        self.init(
            [message],
            channel.map { [$0] } ?? DeviceChannel.allCases,
            category.map { [$0] } ?? MessageCategory.allCases
        )
    }
}
