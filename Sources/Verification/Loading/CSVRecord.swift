/// The fields of one CSV line (RFC 4180), as ranges in that line.
///
/// Stricter than the RFC: a field cannot contain a line break. So each line is a record, and an
/// error does not affect the next one.
package struct CSVRecord {
    package enum Failure: Error, Equatable, Sendable {
        /// A quote inside an unquoted field, or a missing closing quote.
        case quoting
    }

    package struct Field: Equatable, Sendable {
        /// Without the surrounding quotes.
        package let range: Range<Int>
        let hasDoubledQuotes: Bool
    }

    package private(set) var fields: [Field] = []

    package init() {}

    /// Splits a line without its line break; replaces the fields of the previous line.
    package mutating func split(_ line: Span<UInt8>) throws(Failure) {
        fields.removeAll(keepingCapacity: true)
        var start = 0
        while true {
            let field = try Self.field(of: line, from: start)
            fields.append(field.field)
            guard field.end < line.count else { return }
            start = field.end + 1
        }
    }

    /// The field, and the position of the next comma or of the line's end.
    private static func field(
        of line: Span<UInt8>,
        from start: Int
    ) throws(Failure) -> (field: Field, end: Int) {
        guard start < line.count, line[start] == quote else {
            var end = start
            while end < line.count, line[end] != comma {
                guard line[end] != quote else { throw .quoting }
                end += 1
            }
            return (Field(range: start..<end, hasDoubledQuotes: false), end)
        }
        var (index, hasDoubledQuotes) = (start + 1, false)
        while index < line.count {
            guard line[index] == quote else {
                index += 1
                continue
            }
            let next = index + 1
            if next < line.count, line[next] == quote {
                hasDoubledQuotes = true
                index += 2
                continue
            }
            guard next == line.count || line[next] == comma else { throw .quoting }
            return (Field(range: start + 1..<index, hasDoubledQuotes: hasDoubledQuotes), next)
        }
        throw .quoting
    }

    /// The field's text; nil if it is not UTF-8.
    package static func text(of field: Field, in line: Span<UInt8>) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(field.range.count)
        var index = field.range.lowerBound
        while index < field.range.upperBound {
            bytes.append(line[index])
            // A doubled quote is one character.
            index += field.hasDoubledQuotes && line[index] == quote ? 2 : 1
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
}
