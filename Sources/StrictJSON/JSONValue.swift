/// A document as it was written: members in their order, numbers by their digits.
///
/// It is not `Equatable`, since Swift holds strings of different code points for equal: two values
/// are the same where what is `written` is.
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

    /// The one spelling without white space and needless escapes.
    package func written() throws(StrictJSON.Unwritable) -> [UInt8] {
        var writer = JSONWriter()
        try writer.append(self)
        return writer.bytes
    }
}

/// A number by its digits: nothing is rounded, and `1`, `1.0` and `1e0` stay apart.
package struct JSONNumber: Sendable {
    package let text: String

    package init(_ integer: some FixedWidthInteger) {
        text = String(integer)
    }

    /// Takes what the reader has found to be a number.
    init(checked text: String) {
        self.text = text
    }

    /// Nil where it has a fraction or an exponent, is `-0`, or is out of range.
    package func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type = Integer.self
    ) -> Integer? {
        text == "-0" ? nil : Integer(text)
    }
}
