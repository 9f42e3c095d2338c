/// Crockford's base32, character by character: for codes that a person reads and types.
///
/// Like `TextEncoding` it takes the same time for every character.
package enum CrockfordBase32 {
    /// The one spelling of a character of either case; I and L are read as 1, O as 0.
    package static func canonical(_ character: UInt8) -> UInt8? {
        Alphabet.crockford.value(of: character).map(Alphabet.crockford.character)
    }

    /// The character of the lowest five bits of `value`.
    package static func character(for value: UInt8) -> UInt8 {
        Alphabet.crockford.character(for: value & 0b11111)
    }
}
