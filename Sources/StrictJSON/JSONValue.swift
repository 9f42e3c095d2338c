/// A document as it was written: members in order, numbers by their digits.
///
/// It is not `Equatable`, because Swift strings of different code points can be equal. Compare
/// `written` instead.
package enum JSONValue: Sendable {
    case object([Member])
    case array([JSONValue])
    case string(String)
    case number(JSONNumber)
    case boolean(Bool)
    case null

    package struct Member: Sendable {
        package let name: String
        package let value: JSONValue

        package init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    package init(
        reading bytes: [UInt8],
        limits: StrictJSON.Limits
    ) throws(StrictJSON.Failure) {
        var reader = JSONReader(bytes: bytes, limits: limits)
        self = try reader.document()
    }

    /// The one spelling without white space and unneeded escapes.
    package func written() throws(StrictJSON.Unwritable) -> [UInt8] {
        var writer = JSONWriter()
        try writer.append(self)
        return writer.bytes
    }
}

/// A member describes a person or a purchase in most documents, so it prints nothing.
extension JSONValue.Member: CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package var description: String { "<member>" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension JSONValue {
    /// The first member with exactly this name; nil if there is none, or this is not an object.
    package subscript(name: some StringProtocol) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.value(of: String(name))
    }

    /// Empty if this is not an array.
    package var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    /// Nil if this is not a string.
    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}

/// A number by its digits: nothing is rounded; `1`, `1.0` and `1e0` differ.
package struct JSONNumber: Sendable {
    package let text: String

    package init(_ integer: some FixedWidthInteger) {
        text = String(integer)
    }

    /// Stores digits that the reader has recognised as a number.
    init(checked text: String) {
        self.text = text
    }

    /// Nil if it has a fraction or an exponent, is `-0`, or is out of range.
    package func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type = Integer.self
    ) -> Integer? {
        text == "-0" ? nil : Integer(text)
    }
}
