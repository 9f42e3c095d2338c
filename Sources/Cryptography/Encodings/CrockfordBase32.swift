/// Crockford's base32, one character at a time, for codes that people read and type.
///
/// Like `TextEncoding`, it takes the same time for every character.
package enum CrockfordBase32 {
    /// The normal form of a character: upper case, with I and L read as 1, and O as 0.
    package static func canonical(_ character: UInt8) -> UInt8? {
        Alphabet.crockford.value(of: character).map(Alphabet.crockford.character)
    }

    /// The character for the lowest five bits of `value`.
    package static func character(for value: UInt8) -> UInt8 {
        Alphabet.crockford.character(for: value & 0b11111)
    }
}
