/// Reads one document from its first byte to its last.
struct JSONReader: ~Copyable {
    let bytes: [UInt8]
    let limits: StrictJSON.Limits
    var offset = 0
    var depth = 0
    var valueCount = 0
    /// Nil if a repeated member makes the document invalid.
    private(set) var repetitions: RepetitionList?

    init(bytes: [UInt8], limits: StrictJSON.Limits, repetitions: RepetitionList? = nil) {
        self.bytes = bytes
        self.limits = limits
        self.repetitions = repetitions
    }

    mutating func document() throws(StrictJSON.Failure) -> JSONValue {
        try checkEncoding()
        let value = try value()
        skipSpace()
        guard offset == bytes.count else { throw malformed(.trailingBytes) }
        return value
    }

    /// All later code relies on this: the bytes are valid UTF-8.
    private func checkEncoding() throws(StrictJSON.Failure) {
        guard bytes.count <= limits.byteCount else {
            throw .malformed(.tooLarge, offset: limits.byteCount)
        }
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            throw .malformed(.invalidUTF8, offset: error.byteOffsets.lowerBound)
        }
        guard !bytes.starts(with: [0xef, 0xbb, 0xbf]) else { throw malformed(.byteOrderMark) }
    }
}

// MARK: Bytes

extension JSONReader {
    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func skipSpace() {
        while let next, next == 0x20 || next == 0x0a || next == 0x0d || next == 0x09 {
            offset += 1
        }
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    func malformed(_ reason: StrictJSON.Malformation) -> StrictJSON.Failure {
        .malformed(reason, offset: offset)
    }

    /// The failure for an unexpected byte or an unexpected end.
    func unexpected() -> StrictJSON.Failure {
        malformed(next == nil ? .unexpectedEnd : .unexpectedByte)
    }
}

// MARK: Values

extension JSONReader {
    private mutating func value() throws(StrictJSON.Failure) -> JSONValue {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .array(try elements())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .boolean(true))
        case UInt8(ascii: "f"): return try word("false", .boolean(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func members() throws(StrictJSON.Failure) -> [JSONValue.Member] {
        let start = offset
        var members: [JSONValue.Member] = []
        guard try open(closedBy: "}") else { return [] }
        repeat {
            members.append(try member())
            skipSpace()
        } while skip(",")
        try close("}")
        if members.repeatAName {
            guard repetitions != nil else { throw .malformed(.repeatedName, offset: start) }
            repetitions?.append(members)
        }
        return members
    }

    private mutating func member() throws(StrictJSON.Failure) -> JSONValue.Member {
        try count()
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw unexpected() }
        let name = try string()
        skipSpace()
        guard skip(":") else { throw unexpected() }
        let known = repetitions?.members.count ?? 0
        let value = try value()
        repetitions?.add(name, toMembersFrom: known)
        return JSONValue.Member(name: name, value: value)
    }

    private mutating func elements() throws(StrictJSON.Failure) -> [JSONValue] {
        var elements: [JSONValue] = []
        guard try open(closedBy: "]") else { return [] }
        repeat {
            try count()
            elements.append(try value())
            skipSpace()
        } while skip(",")
        try close("]")
        return elements
    }

    /// Returns false if the object or array is empty, and already closed.
    private mutating func open(closedBy end: Unicode.Scalar) throws(StrictJSON.Failure) -> Bool {
        guard depth < limits.depth else { throw malformed(.tooDeep) }
        offset += 1
        skipSpace()
        guard !skip(end) else { return false }
        depth += 1
        return true
    }

    private mutating func close(_ end: Unicode.Scalar) throws(StrictJSON.Failure) {
        guard skip(end) else { throw unexpected() }
        depth -= 1
    }

    private mutating func count() throws(StrictJSON.Failure) {
        guard valueCount < limits.valueCount else { throw malformed(.tooManyValues) }
        valueCount += 1
    }

    private mutating func word(
        _ word: StaticString,
        _ value: JSONValue
    ) throws(StrictJSON.Failure) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
            guard next == word.utf8Start[index] else { throw unexpected() }
            offset += 1
        }
        return value
    }
}
