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
    package var formatted: String { grouped(text, by: 4) }
}

extension AccountNumber: CustomStringConvertible {
    package var description: String { text }
}

private func hasFormOfIBAN(_ characters: [UInt8]) -> Bool {
    guard characters.count >= 4 else { return false }
    let values = characters.prefix(4).compactMap(value)
    return values.prefix(2).allSatisfy { $0 >= 10 } && values.suffix(2).allSatisfy { $0 < 10 }
}

/// The standard gives 02 to 98.
///
/// 00, 01 and 99 would be second spellings.
private func hasRightCheckDigits(_ characters: [UInt8]) -> Bool {
    let remainder = (characters.dropFirst(4) + characters.prefix(4)).compactMap(value)
        .reduce(0) { ($0 * ($1 < 10 ? 10 : 100) + $1) % 97 }
    let excluded: [[UInt8]] = ["00", "01", "99"].map { Array($0.utf8) }
    return remainder == 1 && !excluded.contains(Array(characters[2..<4]))
}

/// 0 to 35; nil for any other character.
private func value(of character: UInt8) -> Int? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character - UInt8(ascii: "0"))
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character - UInt8(ascii: "A")) + 10
    default: nil
    }
}
