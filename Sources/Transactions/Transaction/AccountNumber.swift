/// An IBAN, or another account number.
///
/// 1 to 34 upper-case letters and digits. Two letters and two digits at the start make it an IBAN
/// with check digits (ISO 13616-1, ISO/IEC 7064 MOD 97-10).
package struct AccountNumber: Hashable, Sendable {
    package let text: String

    package init?(_ text: String) {
        guard Self.hasForm(text) else { return nil }
        let characters = Array(text.utf8)
        guard !hasFormOfIBAN(characters) || hasRightCheckDigits(characters) else { return nil }
        self.text = text
    }

    /// True also for an IBAN with wrong check digits.
    package static func hasForm(_ text: String) -> Bool {
        (1...34).contains(text.utf8.count) && text.utf8.allSatisfy { value(of: $0) != nil }
    }

    /// In groups of four.
    package var formatted: String {
        String(decoding: grouped(Array(text.utf8)[...], by: 4), as: UTF8.self)
    }
}

extension AccountNumber: CustomStringConvertible {
    package var description: String { text }
}

private func hasFormOfIBAN(_ characters: [UInt8]) -> Bool {
    guard characters.count >= 4 else { return false }
    return characters[..<2].allSatisfy(isLetter) && !characters[2..<4].contains(where: isLetter)
}

private func isLetter(_ character: UInt8) -> Bool { character >= UInt8(ascii: "A") }

/// The standard gives 02 to 98.
///
/// 00, 01 and 99 would be second spellings.
private func hasRightCheckDigits(_ characters: [UInt8]) -> Bool {
    var remainder = 0
    for character in characters[4...] + characters[..<4] {
        // The caller has checked that each character has a value.
        let value = value(of: character) ?? 0
        remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97
    }
    let digits = characters[2...3].reduce(0) { $0 * 10 + (value(of: $1) ?? 0) }
    return remainder == 1 && (2...98).contains(digits)
}

/// 0 to 35; nil for any other character.
private func value(of character: UInt8) -> Int? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character - UInt8(ascii: "A")) + 10
    default: nil
    }
}
