/// A response header that is read line by line (RFC 9112, section 5).
///
/// The last header counts: a proxy's response and interim responses come before it.
struct ResponseHeader {
    private(set) var lines: [HTTPHeaderLine] = []
    /// Whether the empty line after the header was read; later lines are trailers.
    private(set) var isComplete = false
    private var byteCount = 0

    /// The maximum of all headers and trailers together.
    private static let maximumByteCount = 64 << 10

    mutating func take(_ bytes: UnsafeRawBufferPointer) throws(HTTPFailure) {
        byteCount += bytes.count
        guard byteCount <= Self.maximumByteCount else { throw .responseTooLarge }
        let line = bytes.prefix { !$0.isLineEnd }
        if line.starts(with: "HTTP/".utf8) {
            lines = []
            isComplete = false
        } else if line.isEmpty {
            isComplete = true
        } else if !isComplete {
            try takeField(line)
        }
    }

    private mutating func takeField(_ text: Slice<UnsafeRawBufferPointer>) throws(HTTPFailure) {
        if text.first?.isWhiteSpace == true {
            guard let last = lines.popLast() else { throw .malformedResponse }
            // A fold is one or more spaces (section 5.2).
            lines.append(HTTPHeaderLine(last.name, last.value + " " + Self.trimmed(text)))
        } else {
            let line = try Self.line(text)
            // libcurl would decompress a response even if the request did not allow it.
            guard !line.isNamed("transfer-encoding") || line.value.lowercased() == "chunked" else {
                throw .malformedResponse
            }
            lines.append(line)
        }
    }

    private static func line(
        _ text: Slice<UnsafeRawBufferPointer>
    ) throws(HTTPFailure) -> HTTPHeaderLine {
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { throw .malformedResponse }
        let name = text[..<colon]
        guard !name.isEmpty, name.allSatisfy(\.isTokenCharacter) else { throw .malformedResponse }
        return HTTPHeaderLine(
            String(decoding: name, as: UTF8.self),
            trimmed(text[colon...].dropFirst())
        )
    }

    /// Without the white space around it.
    private static func trimmed(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        let start = bytes.drop(while: \.isWhiteSpace)
        let end = start.lastIndex { !$0.isWhiteSpace }
        return String(decoding: end.map { start[...$0] } ?? start, as: UTF8.self)
    }
}

extension UInt8 {
    var isWhiteSpace: Bool { self == 0x20 || self == 0x09 }

    fileprivate var isLineEnd: Bool { self == 0x0d || self == 0x0a }

    /// RFC 9110, section 5.6.2.
    var isTokenCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(self)
        }
    }
}
