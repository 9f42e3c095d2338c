/// How the fields of a request define its body and its connection.
///
/// Everything that two servers could read differently is rejected, against request smuggling (RFC
/// 9112, section 11.2).
struct Framing: Equatable {
    enum Body: Equatable {
        case length(Int)
        case chunked
    }

    private(set) var body = Body.length(0)
    private(set) var closesConnection = false
    private(set) var expectsContinue = false

    init(_ fields: [Field], limits: Limits) throws(RequestRefusal) {
        var (hosts, lengths, codings) = (0, 0, 0)
        var (host, length, coding, expectation) = ("", "", "", "")
        for field in fields {
            if field.isCalled("host") {
                (hosts, host) = (hosts + 1, field.value)
            } else if field.isCalled("content-length") {
                (lengths, length) = (lengths + 1, field.value)
            } else if field.isCalled("transfer-encoding") {
                (codings, coding) = (codings + 1, field.value)
            } else if field.isCalled("expect") {
                expectation = field.value
            } else if field.isCalled("connection") {
                closesConnection = closesConnection || Self.says("close", field.value)
            }
        }
        guard hosts == 1, lengths + codings <= 1 else { throw .malformed }
        try Self.checkHost(host)
        if lengths == 1 { body = .length(try Self.length(length, limits)) }
        if codings == 1 {
            guard coding.isSame(as: "chunked") else { throw .notImplemented }
            body = .chunked
        }
        guard expectation.isEmpty || expectation.isSame(as: "100-continue") else {
            throw .expectationUnknown
        }
        expectsContinue = !expectation.isEmpty && body != .length(0)
    }

    /// RFC 9112, section 3.2.
    private static func checkHost(_ value: String) throws(RequestRefusal) {
        guard !value.isEmpty, value.utf8.allSatisfy(ByteSet.host.contains) else { throw .malformed }
    }

    /// A plain number: no sign, no list, no leading zero (RFC 9110, section 8.6).
    private static func length(_ value: String, _ limits: Limits) throws(RequestRefusal) -> Int {
        let digits = value.utf8
        guard
            !digits.isEmpty,
            digits.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains),
            digits.count == 1 || digits.first != UInt8(ascii: "0")
        else { throw .malformed }
        guard let length = Int(value), length <= limits.bodyBytes else { throw .bodyTooLarge }
        return length
    }

    private static func says(_ option: String, _ value: String) -> Bool {
        value.utf8.split(separator: UInt8(ascii: ",")).contains {
            String(decoding: $0.trimmed, as: UTF8.self).isSame(as: option)
        }
    }
}
