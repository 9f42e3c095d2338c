package import StrictJSON

/// A message that was read and checked, or that will be sent.
///
/// The card number is apart from all other elements, and only an AReq writes it. Nothing of a
/// message is printed but its type, because it describes a person and a purchase.
package struct Message: Sendable {
    package let type: MessageType
    package let version: ProtocolVersion
    /// All other elements, in their order, with unknown ones.
    package let members: [JSONValue.Member]
    package let cardNumber: CardNumber?
    private let rows: ElementRows
    /// The channel and the category of the message, if it states them.
    private let occasions: Occasions

    /// Adds type and version to the elements.
    package init(
        _ type: MessageType,
        _ version: ProtocolVersion,
        _ members: [JSONValue.Member],
        cardNumber: CardNumber? = nil
    ) {
        let header = [("messageType", type.rawValue), ("messageVersion", version.rawValue)]
        self.init(
            reading: header.map { JSONValue.Member(name: $0, value: .string($1)) } + members,
            type,
            version,
            cardNumber
        )
    }

    init(
        reading members: [JSONValue.Member],
        _ type: MessageType,
        _ version: ProtocolVersion,
        _ cardNumber: CardNumber?
    ) {
        self.type = type
        self.version = version
        self.members = members
        self.cardNumber = type == .areq ? cardNumber : nil
        rows = FieldTable.rows(of: type, in: version)
        let claims = ElementCheck.Claims(type, members)
        occasions = Occasions(type, claims.channel, claims.category)
    }

    /// The text of an element; nil if it is absent or not a text.
    package subscript(name: String) -> String? { self[value: name]?.text }

    /// Nil for an unknown element, which no reader has checked.
    package subscript(value name: String) -> JSONValue? {
        isKnown(name) ? members.value(of: name) : nil
    }

    /// Whether the version has this element on the channel and for the category of the message.
    private func isKnown(_ name: String) -> Bool {
        guard let place = rows.place(of: name) else { return false }
        return rows.rows[place].uses.contains { !$0.occasions.isDisjoint(with: occasions) }
    }

    package var ids: TransactionIDs { TransactionIDs(in: members) }

    /// The bytes for the receiver, which contain the card number of an AReq.
    package func written() throws(StrictJSON.Unwritable) -> [UInt8] {
        var bytes = try JSONValue.object(members).written()
        guard let cardNumber else { return bytes }
        bytes.removeLast()
        bytes.append(contentsOf: #","acctNumber":""#.utf8)
        cardNumber.withDigits { digits in
            for index in digits.indices { bytes.append(digits[index]) }
        }
        bytes.append(contentsOf: "\"}".utf8)
        return bytes
    }
}

extension Message: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "\(type.rawValue) \(version.rawValue)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
