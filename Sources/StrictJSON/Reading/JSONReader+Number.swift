extension JSONReader {
    /// RFC 8259, section 6.
    mutating func number() throws(StrictJSON.Failure) -> JSONNumber {
        let start = offset
        let isNegative = skip("-")
        guard isNegative || isDigit(next) else { throw unexpected() }
        // No digit may follow a leading zero; the next reading step rejects it.
        if !skip("0") { try digits() }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        return JSONNumber(checked: text(start..<offset))
    }

    private mutating func digits() throws(StrictJSON.Failure) {
        guard isDigit(next) else { throw malformed(.malformedNumber) }
        while isDigit(next) { offset += 1 }
    }
}

private func isDigit(_ character: UInt8?) -> Bool {
    guard let character else { return false }
    return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
}
