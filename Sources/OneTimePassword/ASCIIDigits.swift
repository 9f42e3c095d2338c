/// Reads a decimal number in its only valid form; `UInt64.init` would accept `+7` and `007`.
package func decimalNumber(_ text: some StringProtocol) -> UInt64? {
    guard
        !text.isEmpty, text.utf8.allSatisfy(isDecimalDigit),
        text == "0" || !text.hasPrefix("0")
    else { return nil }
    return UInt64(text)
}

package func isDecimalDigit(_ character: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
}

/// The value of a hexadecimal digit in either case.
package func hexadecimalDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
}

package func isASCIILetter(_ character: UInt8) -> Bool {
    // Bit 5 is the letter's case.
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(character | 0x20)
}
