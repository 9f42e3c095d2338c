/// An ARes as the store has it: without its authentication value, which is computed again.
struct StoredResponse: Sendable {
    let bytes: [UInt8]

    /// The bytes of a row.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// `value` is the one that the message contains.
    init(of message: [UInt8], without value: AuthenticationValue?) {
        bytes =
            value.map { message.replacing(Self.element($0.text), by: Self.element("")) } ?? message
    }

    /// The bytes that were sent; `value` is nil for a message without one.
    func message(with value: AuthenticationValue?) -> [UInt8] {
        value.map { bytes.replacing(Self.element(""), by: Self.element($0.text)) } ?? bytes
    }

    /// No text in JSON contains it, because its quotes would be escaped.
    private static func element(_ text: String) -> [UInt8] {
        Array(#""authenticationValue":"\#(text)""#.utf8)
    }
}

extension [UInt8] {
    fileprivate func replacing(_ old: [UInt8], by new: [UInt8]) -> [UInt8] {
        let start = indices.first { self[$0...].starts(with: old) }
        guard let start else { return self }
        return self[..<start] + new + self[(start + old.count)...]
    }
}
