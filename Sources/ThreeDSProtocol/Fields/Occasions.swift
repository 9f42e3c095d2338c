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
        var bits: UInt64 = 0
        var bit: UInt64 = 1
        for message in MessageType.allCases {
            for channel in DeviceChannel.allCases {
                for category in MessageCategory.allCases {
                    let isMeant =
                        messages.contains(message) && channels.contains(channel)
                        && categories.contains(category)
                    if isMeant { bits |= bit }
                    bit <<= 1
                }
            }
        }
        rawValue = bits
    }
}
