import Cryptography
import Testing

@Suite struct `Crockford's base32` {
    private let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    @Test func `writes 32 characters`() {
        #expect((0..<32).map { CrockfordBase32.character(for: $0) } == alphabet)
        #expect(CrockfordBase32.character(for: 32 + 10) == UInt8(ascii: "A"))
    }

    @Test func `reads them in either case, and look-alikes`() {
        let lookAlikes: [UInt8: UInt8] = [0x4F: 0, 0x6F: 0, 0x49: 1, 0x69: 1, 0x4C: 1, 0x6C: 1]
        for character in UInt8.min...UInt8.max {
            let upper = (0x61...0x7A).contains(character) ? character - 0x20 : character
            let expected = alphabet.firstIndex(of: upper).map { UInt8($0) }
            #expect(CrockfordBase32.value(of: character) == expected ?? lookAlikes[character])
        }
    }
}
