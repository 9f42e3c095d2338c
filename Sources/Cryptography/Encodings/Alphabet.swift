/// The characters of an encoding, as ranges that are searched without branches or tables.
///
/// A table lookup would leave its address, and so the secret, in the processor's cache. The tables
/// are for public bytes only.
final class Alphabet: Sendable {
    static let hexadecimal = Alphabet(4, [.digits(from: 0), .lower(from: 10)], [.upper(from: 10)])
    static let base32 = Alphabet(
        5,
        [.upper(from: 0), Range("2", "7", from: 26)],
        [.lower(from: 0)]
    )
    static let base64 = Alphabet(
        6,
        letters + [Range("+", "+", from: 62), Range("/", "/", from: 63)]
    )
    static let base64URL = Alphabet(
        6,
        letters + [Range("-", "-", from: 62), Range("_", "_", from: 63)]
    )

    /// Crockford's base32: without U; I and L are read as 1, O as 0.
    static let crockford = Alphabet(
        5,
        [
            .digits(from: 0), Range("A", "H", from: 10), Range("J", "K", from: 18),
            Range("M", "N", from: 20), Range("P", "T", from: 22), Range("V", "Z", from: 27),
        ],
        [
            Range("a", "h", from: 10), Range("j", "k", from: 18), Range("m", "n", from: 20),
            Range("p", "t", from: 22), Range("v", "z", from: 27),
            Range("O", "O", from: 0), Range("o", "o", from: 0),
            Range("I", "I", from: 1), Range("i", "i", from: 1),
            Range("L", "L", from: 1), Range("l", "l", from: 1),
        ]
    )

    private static let letters: [Range] = [
        .upper(from: 0), .lower(from: 26), .digits(from: 52),
    ]

    let bitsPerCharacter: Int
    /// The character of each value.
    let characters: [UInt8]
    /// The value of each character, or `noValue`.
    let values: [UInt8]
    static let noValue: UInt8 = 0xff

    private let written: [Range]
    private let read: [Range]

    private init(_ bitsPerCharacter: Int, _ written: [Range], _ alsoRead: [Range] = []) {
        let read = written + alsoRead
        self.bitsPerCharacter = bitsPerCharacter
        self.written = written
        self.read = read
        characters = (0..<1 << bitsPerCharacter).map { Self.character(for: $0, in: written) }
        values = (0...255).map { character in
            Self.value(of: character, in: read, bitsPerCharacter) ?? Self.noValue
        }
    }

    var mask: UInt32 { 1 << UInt32(bitsPerCharacter) - 1 }

    func value(of character: UInt8) -> UInt8? {
        Self.value(of: character, in: read, bitsPerCharacter)
    }

    func character(for value: UInt8) -> UInt8 { Self.character(for: value, in: written) }

    private static func value(
        of character: UInt8,
        in read: [Range],
        _ bitsPerCharacter: Int
    ) -> UInt8? {
        var value: UInt8 = 0
        var found: UInt8 = 0
        for range in read {
            let distance = character &- range.first
            let inside = range.mask(distance)
            value |= inside & (range.firstValue &+ distance)
            found |= inside
        }
        return found != 0 && value < 1 << bitsPerCharacter ? value : nil
    }

    private static func character(for value: UInt8, in written: [Range]) -> UInt8 {
        var character: UInt8 = 0
        for range in written {
            let distance = value &- range.firstValue
            character |= range.mask(distance) & (range.first &+ distance)
        }
        return character
    }
}

extension Alphabet {
    /// Consecutive characters with consecutive values.
    private struct Range {
        let first: UInt8
        let count: UInt8
        let firstValue: UInt8

        init(_ first: Unicode.Scalar, _ last: Unicode.Scalar, from firstValue: UInt8) {
            self.first = UInt8(ascii: first)
            self.count = UInt8(ascii: last) - UInt8(ascii: first) + 1
            self.firstValue = firstValue
        }

        static func upper(from value: UInt8) -> Range { Range("A", "Z", from: value) }
        static func lower(from value: UInt8) -> Range { Range("a", "z", from: value) }
        static func digits(from value: UInt8) -> Range { Range("0", "9", from: value) }

        /// All ones if `distance` from the first character is inside the range, else zero.
        func mask(_ distance: UInt8) -> UInt8 {
            UInt8(truncatingIfNeeded: (Int16(distance) - Int16(count)) >> 8)
        }
    }
}
