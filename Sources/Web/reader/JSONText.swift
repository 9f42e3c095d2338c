/// JSON in UTF-8, in the order of the calls.
struct JSONText {
    private var bytes: [UInt8] = []

    init() {}

    /// The length in 4 bytes, then the document.
    var memory: UnsafeMutableRawPointer {
        let memory = allocate(4 + bytes.count)
        memory.storeBytes(of: UInt32(bytes.count).littleEndian, as: UInt32.self)
        UnsafeMutableRawBufferPointer(start: memory + 4, count: bytes.count).copyBytes(from: bytes)
        return memory
    }

    /// Punctuation and names of members.
    mutating func append(syntax: StaticString) {
        syntax.withUTF8Buffer { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ number: Int) { bytes += Array(String(number).utf8) }

    /// A text in quotation marks, with the escapes of RFC 8259, section 7.
    mutating func append(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in Array(text.utf8) {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                append(syntax: "\\u00")
                bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
                bytes.append(hexadecimalDigit(byte & 15))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func append(_ text: String?) {
        if let text { append(text) } else { append(syntax: "null") }
    }

    mutating func append<Element>(
        _ list: [Element],
        _ appendElement: (inout JSONText, Element) -> Void
    ) {
        append(syntax: "[")
        for index in list.indices {
            if index > 0 { append(syntax: ",") }
            appendElement(&self, list[index])
        }
        append(syntax: "]")
    }
}

private func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
}
