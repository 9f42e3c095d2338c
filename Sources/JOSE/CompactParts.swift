import Cryptography

/// The text between the points of a compact serialization (RFC 7515, section 7.1).
struct CompactParts: Sendable {
    let text: [UInt8]
    private let parts: [Range<Int>]

    init(
        _ text: [UInt8],
        count: Int,
        maximumByteCount: Int
    ) throws(JOSEFailure) {
        guard text.count <= maximumByteCount else { throw .refused }
        var parts: [Range<Int>] = []
        parts.reserveCapacity(count)
        var start = 0
        let point = UInt8(ascii: ".")
        while let length = text.span.extracting(start...).firstIndex(of: point) {
            // One more part follows, so these are too many.
            guard parts.count < count - 1 else { throw .refused }
            parts.append(start..<start + length)
            start += length + 1
        }
        parts.append(start..<text.count)
        guard parts.count == count else { throw .refused }
        self.text = text
        self.parts = parts
    }

    /// The bytes of one part: base64url without padding, blanks or unused bits.
    func decoded(_ part: Int) throws(JOSEFailure) -> [UInt8] {
        try orRefused(TextEncoding.base64URL.decode(text.span.extracting(parts[part])))
    }

    func decoded(_ part: Int, appendingTo bytes: inout [UInt8]) throws(JOSEFailure) {
        try orRefused(
            TextEncoding.base64URL.decode(text.span.extracting(parts[part]), appendingTo: &bytes)
        )
    }

    /// The length of the text of the first parts, with the points between them.
    func length(ofFirst count: Int) -> Int { parts[count - 1].upperBound }
}

extension [UInt8] {
    /// Appends a point and the next part of a compact serialization.
    mutating func append(part: Span<UInt8>) {
        append(UInt8(ascii: "."))
        TextEncoding.base64URL.encode(part, appendingTo: &self)
    }
}
