extension JSONReader {
    /// Reads from the opening quotation mark to after the closing one.
    mutating func string() throws(StrictJSON.Failure) -> String {
        offset += 1
        var string = text(plainText())
        while !skip("\"") {
            try appendEscaped(to: &string)
            string += text(plainText())
        }
        return string
    }

    private mutating func plainText() -> Range<Int> {
        let start = offset
        while let next, standsForItself(next) { offset += 1 }
        return start..<offset
    }

    private mutating func appendEscaped(to string: inout String) throws(StrictJSON.Failure) {
        guard let next else { throw malformed(.unexpectedEnd) }
        let start = offset
        guard skip("\\") else {
            throw malformed(next == 0 ? .nullCharacter : .controlCharacter)
        }
        let scalar = try escapedScalar(from: start)
        guard scalar != "\0" || limits.allowsNullCharacter else {
            throw .malformed(.nullCharacter, offset: start)
        }
        string.unicodeScalars.append(scalar)
    }

    private mutating func escapedScalar(
        from start: Int
    ) throws(StrictJSON.Failure) -> Unicode.Scalar {
        if skip("u") { return try scalarOfCodeUnits(from: start) }
        guard let next else { throw malformed(.unexpectedEnd) }
        let scalar: Unicode.Scalar
        switch next {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            scalar = Unicode.Scalar(next)
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{c}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        default: throw .malformed(.malformedEscape, offset: start)
        }
        offset += 1
        return scalar
    }

    /// One UTF-16 code unit, or a surrogate pair.
    private mutating func scalarOfCodeUnits(
        from start: Int
    ) throws(StrictJSON.Failure) -> Unicode.Scalar {
        let first = try codeUnit(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard UTF16.isLeadSurrogate(first), skip("\\"), skip("u") else {
            throw .malformed(.loneSurrogate, offset: start)
        }
        let second = try codeUnit(from: start)
        guard UTF16.isTrailSurrogate(second) else {
            throw .malformed(.loneSurrogate, offset: start)
        }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private mutating func codeUnit(from start: Int) throws(StrictJSON.Failure) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let next else { throw malformed(.unexpectedEnd) }
            guard let digit = hexadecimalDigit(next) else {
                throw .malformed(.malformedEscape, offset: start)
            }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }
}

private func hexadecimalDigit(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    default: nil
    }
}
