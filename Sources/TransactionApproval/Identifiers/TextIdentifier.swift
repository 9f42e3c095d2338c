/// A name that a bank or the verifier gave: 1 to 64 ASCII letters, digits, dots, lines and dashes.
///
/// Nothing else gets in, so two that look alike are alike, and none can break a line, a path, a URL
/// or a shell.
package protocol TextIdentifier: Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    var text: String { get }

    /// Takes a text that `init(_:)` has looked at.
    init(checked text: String)

    /// Nil where the text breaks the rule; one identifier may have a stricter one.
    init?(_ text: String)
}

extension TextIdentifier {
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text.utf8.allSatisfy(isIdentifierCharacter)
        else { return nil }
        self.init(checked: text)
    }

    package var description: String { text }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

// In JSON it is its text.
extension TextIdentifier {
    package init(from decoder: any Decoder) throws {
        self = try decoder.value(of: String.self) { Self($0) }
    }

    package func encode(to encoder: any Encoder) throws {
        try encoder.write(text)
    }
}

private func isIdentifierCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
    default: false
    }
}

/// A tenant of the verifier.
package struct EnterpriseID: TextIdentifier {
    package let text: String
    package init(checked text: String) { self.text = text }
}

package struct AccountType: TextIdentifier {
    package let text: String
    package init(checked text: String) { self.text = text }
}

package struct AccountID: TextIdentifier {
    package let text: String
    package init(checked text: String) { self.text = text }
}

package struct TransactionID: TextIdentifier {
    package let text: String
    package init(checked text: String) { self.text = text }
}
