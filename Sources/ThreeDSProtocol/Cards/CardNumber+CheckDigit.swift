extension CardNumber {
    /// Whether the last digit is the check digit of the others (ISO/IEC 7812-1, annex B).
    ///
    /// It finds a mistyped digit, and two digits that changed places, except 0 and 9.
    package var hasCheckDigit: Bool {
        var sum = 0
        withDigits { digits in
            for index in digits.indices {
                let digit = Int(digits[index] - UInt8(ascii: "0"))
                let isDoubled = (digits.count - index) % 2 == 0
                sum += isDoubled ? digit * 2 / 10 + digit * 2 % 10 : digit
            }
        }
        return sum % 10 == 0
    }
}
