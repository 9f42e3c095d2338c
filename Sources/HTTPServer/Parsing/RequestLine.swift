/// `GET /path?query HTTP/1.1` (RFC 9112, section 3).
struct RequestLine: Equatable {
    let method: String
    let target: String

    /// HTTP/1.0 is rejected too: it has no `Host` and no chunks.
    private static let version = Array("HTTP/1.1".utf8)
    /// Without CONNECT and TRACE, which an origin server does not need.
    private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

    init(_ line: ArraySlice<UInt8>) throws(RequestRefusal) {
        let space = UInt8(ascii: " ")
        guard
            let first = line.firstIndex(of: space),
            let last = line.lastIndex(of: space),
            first < last, first > line.startIndex,
            line[..<first].allSatisfy(ByteSet.token.contains),
            Self.isVersion(line[(last + 1)...])
        else { throw .malformed }
        guard line[(last + 1)...].elementsEqual(Self.version) else { throw .versionNotSupported }
        guard let method = Self.methods.first(where: { line[..<first].elementsEqual($0.utf8) })
        else { throw .notImplemented }
        self.method = method
        target = try Self.target(line[(first + 1)..<last])
    }

    /// Only the origin form: an absolute target names a second host besides `Host`, and only
    /// proxies need it.
    private static func target(_ bytes: ArraySlice<UInt8>) throws(RequestRefusal) -> String {
        guard bytes.first == UInt8(ascii: "/"), bytes.allSatisfy(ByteSet.target.contains) else {
            throw .malformed
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isVersion(_ bytes: ArraySlice<UInt8>) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        return bytes.count == version.count && bytes.starts(with: version.prefix(5))
            && digits.contains(bytes[bytes.startIndex + 5])
            && bytes[bytes.startIndex + 6] == UInt8(ascii: ".")
            && digits.contains(bytes[bytes.startIndex + 7])
    }
}
