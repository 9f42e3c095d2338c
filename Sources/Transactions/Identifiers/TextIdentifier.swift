/// A name of 1 to 64 ASCII letters, digits, dots, underscores and dashes, but not `.` or `..`.
///
/// Such a name has no look-alikes, and needs no escapes in a line, a path, a URL or a shell. Proxies
/// and file systems would resolve `.` and `..`.
package protocol TextIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
    var text: String { get }

    /// The caller has checked the text.
    init(checked text: String)

    /// Nil if the text breaks the rule, which a type may make stricter.
    init?(_ text: String)
}

extension TextIdentifier {
    package init?(_ text: String) {
        guard hasIdentifierCharacters(text), !isDots(text) else { return nil }
        self.init(checked: text)
    }

    package var description: String { text }

    package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// True also for `.` and `..`.
package func hasIdentifierCharacters(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(isIdentifierCharacter)
}

private func isDots(_ text: String) -> Bool {
    text.utf8.count <= 2 && text.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
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
