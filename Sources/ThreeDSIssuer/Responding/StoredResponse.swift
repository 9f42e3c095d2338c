/// An ARes as the store has it: without its authentication value, which is computed again.
struct StoredResponse: Sendable {
    let bytes: [UInt8]

    /// The bytes of a row; rows of an earlier version have the value.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// `value` is the one that the message contains.
    init(of message: [UInt8], without value: AuthenticationValue?) {
        bytes =
            if let value {
                message.replacing(Self.element(value.text), with: Self.element(""))
            } else { message }
    }

    /// The bytes that were sent; `value` is nil for a message without one.
    func message(with value: AuthenticationValue?) -> [UInt8] {
        guard let value else { return bytes }
        return bytes.replacing(Self.element(""), with: Self.element(value.text))
    }

    /// No text in JSON contains it, because its quotes would be escaped.
    private static func element(_ text: String) -> [UInt8] {
        Array(#""authenticationValue":"\#(text)""#.utf8)
    }
}
