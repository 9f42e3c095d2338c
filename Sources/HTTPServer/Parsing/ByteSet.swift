/// A set of ASCII characters.
struct ByteSet: Sendable {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    private init(_ characters: String) {
        for byte in characters.utf8 { insert(byte) }
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
    }

    func contains(_ byte: UInt8) -> Bool {
        switch byte {
        case ..<64: low >> UInt64(byte) & 1 == 1
        case ..<128: high >> UInt64(byte - 64) & 1 == 1
        default: false
        }
    }
}

extension ByteSet {
    private static let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let digits = "0123456789"
    private static let subDelimiters = "!$&'()*+,;="

    /// RFC 9110, section 5.6.2.
    static let token = ByteSet("!#$%&'*+-.^_`|~" + digits + letters)
    /// Path and query (RFC 3986, sections 3.3 and 3.4).
    static let target = ByteSet("/?:@%-._~" + subDelimiters + digits + letters)
    /// A host and its port (RFC 3986, sections 3.2.2 and 3.2.3).
    static let host = ByteSet(":[]%-._~" + subDelimiters + digits + letters)

    /// RFC 9110, section 5.5, without bytes beyond ASCII, which have no defined meaning.
    static func isInValue(_ byte: UInt8) -> Bool {
        (0x20...0x7e).contains(byte) || byte == UInt8(ascii: "\t")
    }
}
