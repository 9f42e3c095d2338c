import Cryptography
import Testing

@Suite struct `Crockford's base32` {
    private let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    @Test func `writes 32 characters`() {
        #expect((0..<32).map { CrockfordBase32.character(for: $0) } == alphabet)
        #expect(CrockfordBase32.character(for: 32 + 10) == UInt8(ascii: "A"))
    }

    @Test func `reads both cases and look-alike characters`() {
        let lookAlikes = Dictionary(
            uniqueKeysWithValues: zip("OoIiLl".utf8, "001111".utf8)
        )
        for character in UInt8.min...UInt8.max {
            let upper = (0x61...0x7A).contains(character) ? character - 0x20 : character
            let expected = alphabet.contains(upper) ? upper : lookAlikes[character]
            #expect(CrockfordBase32.canonical(character) == expected)
        }
    }
}
