/// Reads the form that `FieldWriter` writes.
package struct FieldReader {
    package enum Failure: Error, Equatable, Sendable {
        /// The bytes end within a field, or its value is invalid; `offset` is the start of the
        /// field.
        case malformed(offset: Int)
        case trailingBytes(offset: Int)
    }

    private let bytes: [UInt8]
    package private(set) var offset = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package mutating func byte() throws(Failure) -> UInt8 { try number() }

    /// A big-endian number with the width of its type.
    package mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
        _ type: Number.Type = Number.self
    ) throws(Failure) -> Number {
        Number(truncatingIfNeeded: try bigEndian(Number.bitWidth / 8))
    }

    package mutating func field(atMost limit: Int) throws(Failure) -> [UInt8] {
        let start = offset
        // In a browser, `Int` has 32 bits and one of them is the sign.
        guard let count = Int(exactly: try number(UInt32.self)), count <= limit else {
            throw .malformed(offset: start)
        }
        return try Array(take(count))
    }

    package mutating func bytes(_ count: Int) throws(Failure) -> [UInt8] { try Array(take(count)) }

    /// Valid UTF-8.
    package mutating func text(atMost limit: Int) throws(Failure) -> String {
        let start = offset
        guard let text = String(validating: try field(atMost: limit), as: UTF8.self) else {
            throw .malformed(offset: start)
        }
        return text
    }

    package mutating func identifier<Identifier: TextIdentifier>(
        _ type: Identifier.Type = Identifier.self
    ) throws(Failure) -> Identifier {
        let start = offset
        guard let identifier = Identifier(try text(atMost: 64)) else {
            throw .malformed(offset: start)
        }
        return identifier
    }

    package mutating func moment() throws(Failure) -> Timestamp {
        let start = offset
        guard let moment = Timestamp(milliseconds: try number()) else {
            throw .malformed(offset: start)
        }
        return moment
    }

    package var isAtEnd: Bool { offset == bytes.count }

    package func end() throws(Failure) {
        guard isAtEnd else { throw .trailingBytes(offset: offset) }
    }

    private mutating func bigEndian(_ count: Int) throws(Failure) -> UInt64 {
        var number: UInt64 = 0
        for byte in try take(count) { number = number << 8 | UInt64(byte) }
        return number
    }

    private mutating func take(_ count: Int) throws(Failure) -> ArraySlice<UInt8> {
        guard count <= bytes.count - offset else { throw .malformed(offset: offset) }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }
}
