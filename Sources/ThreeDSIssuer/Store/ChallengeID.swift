/// The identifier of an authentication that the ACS gave, which also names its challenge.
package struct ChallengeID: Hashable, Sendable {
    package let text: String

    /// Nil for a text that is not a UUID.
    ///
    /// Shops can write its letters in either case (RFC 9562, section 4).
    package init?(_ text: String) {
        guard text.utf8.count == 36,
            text.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || isHexadecimal($0) })
        else { return nil }
        self.text = text.lowercased()
    }
}

private func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"):
        true
    default: false
    }
}
