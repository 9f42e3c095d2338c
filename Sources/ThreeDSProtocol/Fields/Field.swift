/// A row of the field table: one data element in one form, for some versions.
///
/// An element whose form or inclusion differs between versions has several rows.
///
/// It is a class because each message is compared with a hundred rows. A copy of a structure would
/// count references to all of its parts.
package final class Field: Sendable {
    package let name: String
    package let form: Form
    package let versions: ClosedRange<ProtocolVersion>
    package let uses: [Use]
    package let source: Source
    /// Whether a message can be refused because it does not have the element.
    let canBeMissing: Bool

    /// How this project knows the facts of a row.
    package enum Source: String, Sendable {
        /// Read in a public text that cites the pages of the specification.
        case read
        /// Taken from memory, and to be compared with the specification.
        case memory
    }

    init(
        _ name: String,
        _ form: Form,
        _ uses: Use...,
        since: ProtocolVersion = .twoOne,
        until: ProtocolVersion = .twoThree,
        source: Source = .read
    ) {
        self.name = name
        self.form = form
        self.uses = uses
        self.source = source
        canBeMissing = uses.contains(where: \.presence.canDemand)
        versions = since...until
    }
}

/// The messages, channels and categories that have a field, and how far it must be there.
///
/// It is a class for the same reason as `Field`.
package final class Use: Sendable {
    /// Empty in a row of an object inside a message.
    package let messages: [MessageType]
    package let channels: [DeviceChannel]
    package let categories: [MessageCategory]
    package let presence: Presence
    let occasions: Occasions

    private init(
        _ presence: Presence,
        _ messages: [MessageType],
        _ channels: [DeviceChannel],
        _ categories: [MessageCategory]
    ) {
        self.presence = presence
        self.messages = messages
        self.channels = channels
        self.categories = categories
        let all = MessageType.allCases
        occasions = Occasions(messages.isEmpty ? all : messages, channels, categories)
    }
}

package enum Presence: Sendable {
    case required
    case optional
    /// Required if the condition holds, and otherwise refused.
    ///
    /// Only for elements that a rule keeps from other receivers or messages. The specification's C
    /// alone does not forbid an element.
    case conditional(Condition)
    /// Required if the condition holds, and otherwise optional.
    case requiredIf(Condition)
    /// Optional if the condition holds, and otherwise refused.
    case allowedIf(Condition)
}

extension Presence {
    /// A rule in words demands nothing: code cannot evaluate it.
    fileprivate var canDemand: Bool {
        switch self {
        case .required, .conditional: true
        case .requiredIf(.rule), .optional, .allowedIf: false
        case .requiredIf: true
        }
    }
}

extension Use {
    /// Of an object's member.
    static let required = Use.required([])
    static let optional = Use.optional([])

    static func required(
        _ messages: [MessageType],
        on channels: [DeviceChannel] = DeviceChannel.allCases,
        for categories: [MessageCategory] = MessageCategory.allCases
    ) -> Use {
        Use(.required, messages, channels, categories)
    }

    static func optional(
        _ messages: [MessageType],
        on channels: [DeviceChannel] = DeviceChannel.allCases,
        for categories: [MessageCategory] = MessageCategory.allCases
    ) -> Use {
        Use(.optional, messages, channels, categories)
    }

    static func when(
        _ presence: Presence,
        _ messages: [MessageType] = [],
        on channels: [DeviceChannel] = DeviceChannel.allCases,
        for categories: [MessageCategory] = MessageCategory.allCases
    ) -> Use {
        Use(presence, messages, channels, categories)
    }
}
