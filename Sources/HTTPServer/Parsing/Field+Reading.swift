extension Field {
    /// Reads `Name: value` (RFC 9112, section 5); a folded line is not a field.
    init(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
        guard
            let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(ByteSet.token.contains),
            line[(colon + 1)...].allSatisfy(ByteSet.isInValue)
        else { throw .malformed }
        let value = line[(colon + 1)...].trimmed
        self.init(
            String(decoding: line[..<colon], as: UTF8.self),
            String(decoding: value, as: UTF8.self)
        )
    }

    /// Compares the name with a lower-case name.
    package func isCalled(_ lowerCase: String) -> Bool { name.isSame(as: lowerCase) }
}

extension String {
    /// Compares with a lower-case text, ignoring the case of ASCII letters.
    func isSame(as lowerCase: String) -> Bool {
        utf8.count == lowerCase.utf8.count
            && utf8.elementsEqual(lowerCase.utf8) { one, other in
                let isUpperCase = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(one)
                return (isUpperCase ? one | 0x20 : one) == other
            }
    }
}

extension BidirectionalCollection<UInt8> where SubSequence: BidirectionalCollection {
    /// Without leading and trailing white space (RFC 9110, section 5.6.3).
    var trimmed: SubSequence {
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let last = lastIndex(where: { !isSpace($0) }) else { return self[endIndex...] }
        return self[...last].drop(while: isSpace)
    }
}
