/// Crockford's base32, character by character: for codes that a person reads and types.
///
/// Like `TextEncoding` it takes the same time for every character.
package enum CrockfordBase32 {
    /// The five bits that a character of either case stands for; I and L are 1, O is 0.
    package static func value(of character: UInt8) -> UInt8? {
        Alphabet.crockford.value(of: character)
    }

    /// The one spelling of the lowest five bits of `value`.
    package static func character(for value: UInt8) -> UInt8 {
        Alphabet.crockford.character(for: value & 0b11111)
    }
}
