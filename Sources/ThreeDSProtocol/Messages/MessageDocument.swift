package import StrictJSON

/// The JSON object of a message, which is parsed once for all of its readers.
package struct MessageDocument: Sendable {
    package let text: [UInt8]
    let members: [JSONValue.Member]
    let repeatedMembers: [RepeatedMember]

    /// Nil if the text is not an object within the limits.
    package init?(_ text: [UInt8], limits: StrictJSON.Limits) {
        // The reason has an offset, which would not help the sender: `try?`.
        guard let document = try? JSONValue.reading(text, limits: limits),
            case .object(let members) = document.value
        else { return nil }
        (self.text, self.members) = (text, members)
        repeatedMembers = document.repeatedMembers
    }
}

/// Documents with the same text are equal.
extension MessageDocument: Equatable {
    package static func == (left: MessageDocument, right: MessageDocument) -> Bool {
        left.text == right.text
    }
}
