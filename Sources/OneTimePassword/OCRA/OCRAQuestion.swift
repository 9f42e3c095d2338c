/// The question of an OCRA code: one challenge, or both sides' challenges in mutual mode.
public struct OCRAQuestion: Equatable, Sendable {
    /// Both challenges, one after the other, and the length of each.
    private let characters: String
    private let firstCount: Int
    private let lastCount: Int?

    /// A challenge, or data to sign (RFC 6287, sections 7.1 and 7.3).
    public init(_ challenge: String) {
        characters = challenge
        firstCount = challenge.utf8.count
        lastCount = nil
    }

    /// The challenges of both sides (RFC 6287, section 7.2).
    ///
    /// The server puts the client's challenge first; the client puts the server's challenge first.
    public init(mutual first: String, _ last: String) {
        characters = first + last
        firstCount = first.utf8.count
        lastCount = last.utf8.count
    }

    /// The 128 bytes that are hashed (RFC 6287, section 5.1); nil if a challenge does not fit.
    func bytes(for suite: OCRASuite) -> InlineArray<128, UInt8>? {
        let lengths = 1...suite.questionLength
        guard lengths.contains(firstCount), lengths.contains(lastCount ?? firstCount) else {
            return nil
        }
        return switch suite.questionFormat {
        case .alphanumeric: alphanumericBytes()
        case .hexadecimal: hexadecimalBytes()
        case .numeric: numericBytes()
        }
    }
}

extension OCRAQuestion {
    private func alphanumericBytes() -> InlineArray<128, UInt8>? {
        var field = LeftAlignedNibbles()
        for character in characters.utf8 {
            guard isDecimalDigit(character) || isASCIILetter(character) else { return nil }
            field.append(character >> 4)
            field.append(character & 0xf)
        }
        return field.bytes
    }

    private func hexadecimalBytes() -> InlineArray<128, UInt8>? {
        var field = LeftAlignedNibbles()
        let digits = characters.utf8.span
        for index in digits.indices {
            guard let digit = hexadecimalDigit(digits[index]) else { return nil }
            field.append(digit)
        }
        return field.bytes
    }

    /// The decimal number in base 16, without leading zeros.
    private func numericBytes() -> InlineArray<128, UInt8>? {
        var number = HexadecimalNumber()
        for character in characters.utf8 {
            guard isDecimalDigit(character) else { return nil }
            number.append(decimalDigit: character & 0xf)
        }
        var field = LeftAlignedNibbles()
        for index in number.firstDigit..<number.digits.count { field.append(number.digits[index]) }
        return field.bytes
    }
}

/// Half-bytes written from the left; the rest is zero.
private struct LeftAlignedNibbles {
    private(set) var bytes = InlineArray<128, UInt8>(repeating: 0)
    private var count = 0

    mutating func append(_ nibble: UInt8) {
        bytes[count / 2] |= count % 2 == 0 ? nibble << 4 : nibble
        count += 1
    }
}

/// A number of up to 128 decimal digits, which is less than 16 to the power of 107.
private struct HexadecimalNumber {
    private(set) var digits = InlineArray<107, UInt8>(repeating: 0)
    private(set) var firstDigit = 107

    mutating func append(decimalDigit: UInt8) {
        var carry = decimalDigit
        var index = digits.count
        while index > firstDigit || carry > 0 {
            index -= 1
            let product = digits[index] * 10 + carry
            digits[index] = product & 0xf
            carry = product >> 4
        }
        firstDigit = min(firstDigit, index)
    }
}
