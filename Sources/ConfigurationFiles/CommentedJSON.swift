/// JSON with two additions of JSON5: comments, and a trailing comma.
///
/// The additions become spaces. The rest is then parsed as strict JSON, and its errors keep their
/// line numbers.
struct CommentedJSON {
    private(set) var blanked: [UInt8]
    private var offset = 0
    /// The offset of a comma after a value, if only space follows it so far.
    private var comma: Int?
    /// Whether a value can end before the offset.
    private var followsValue = false

    init(_ bytes: [UInt8]) {
        blanked = bytes
        while offset < blanked.count { step() }
    }

    private mutating func step() {
        switch blanked[offset] {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
            offset += 1
        case UInt8(ascii: "/") where follows("/"): blankLine()
        case UInt8(ascii: "/") where follows("*"): blankBlock()
        case UInt8(ascii: ","):
            comma = followsValue ? offset : nil
            take(endingValue: false)
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if let comma { blanked[comma] = UInt8(ascii: " ") }
            take(endingValue: true)
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): take(endingValue: false)
        case UInt8(ascii: "\""): takeString()
        default: take(endingValue: true)
        }
    }

    private func follows(_ character: Unicode.Scalar) -> Bool {
        offset + 1 < blanked.count && blanked[offset + 1] == UInt8(ascii: character)
    }

    private mutating func take(endingValue: Bool) {
        if blanked[offset] != UInt8(ascii: ",") { comma = nil }
        followsValue = endingValue
        offset += 1
    }

    private mutating func takeString() {
        take(endingValue: true)
        while offset < blanked.count {
            defer { offset += 1 }
            switch blanked[offset] {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): offset += 1
            default: continue
            }
        }
    }

    private mutating func blankLine() {
        while offset < blanked.count, blanked[offset] != UInt8(ascii: "\n") { blank() }
    }

    /// An unterminated comment stays, so that the parser rejects it.
    private mutating func blankBlock() {
        guard let end = endOfBlock else { return offset = blanked.count }
        while offset < end { blank() }
    }

    private var endOfBlock: Int? {
        (offset + 2..<blanked.count).first {
            $0 >= offset + 3 && blanked[$0 - 1] == UInt8(ascii: "*")
                && blanked[$0] == UInt8(ascii: "/")
        }.map { $0 + 1 }
    }

    private mutating func blank() {
        if blanked[offset] != UInt8(ascii: "\n") { blanked[offset] = UInt8(ascii: " ") }
        offset += 1
    }
}
