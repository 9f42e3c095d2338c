import Cryptography

/// The text between the points of a compact serialization (RFC 7515, section 7.1).
struct CompactParts: Sendable {
    private let text: [UInt8]
    private let parts: [Range<Int>]

    init(
        _ text: [UInt8],
        count: Int,
        maximumByteCount: Int
    ) throws(JOSEFailure) {
        guard text.count <= maximumByteCount else { throw .refused }
        self.text = text
        parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            .map(\.indices)
        guard parts.count == count else { throw .refused }
    }

    /// The bytes of one part: base64url without padding, blanks or unused bits.
    func decoded(_ part: Int) throws(JOSEFailure) -> [UInt8] {
        try orRefused(TextEncoding.base64URL.decode(text.span.extracting(parts[part])))
    }

    /// The text of the first parts, with the points between them.
    func text(ofFirst count: Int) -> [UInt8] {
        Array(text[..<parts[count - 1].upperBound])
    }
}
