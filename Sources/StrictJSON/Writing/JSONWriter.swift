struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    init() {
        // The size of a short object, so that it grows once.
        bytes.reserveCapacity(128)
    }

    mutating func append(_ value: JSONValue) throws(StrictJSON.Unwritable) {
        switch value {
        case .object(let members): try append(members)
        case .array(let elements): try append(elements)
        case .string(let text): try append(quoted: text)
        case .number(let number): append(number.text)
        case .boolean(let boolean): append(boolean ? "true" : "false")
        case .null: append("null")
        }
    }

    private mutating func append(_ members: [JSONValue.Member]) throws(StrictJSON.Unwritable) {
        guard !members.repeatAName else { throw .repeatedName }
        if members.isEmpty { append(UInt8(ascii: "{")) }
        for (index, member) in members.enumerated() {
            try append(member.name, member.value, isFirst: index == 0)
        }
        append(UInt8(ascii: "}"))
    }

    /// Appends a member; the first one begins the object.
    mutating func append(
        _ name: String,
        _ value: JSONValue,
        isFirst: Bool
    ) throws(StrictJSON.Unwritable) {
        append(isFirst ? UInt8(ascii: "{") : UInt8(ascii: ","))
        try append(quoted: name)
        append(UInt8(ascii: ":"))
        try append(value)
    }

    private mutating func append(_ elements: [JSONValue]) throws(StrictJSON.Unwritable) {
        append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            try append(element)
        }
        append(UInt8(ascii: "]"))
    }

    private mutating func append(quoted text: String) throws(StrictJSON.Unwritable) {
        append(UInt8(ascii: "\""))
        let start = bytes.count
        append(text)
        // Most texts stand for themselves; the others are written again.
        if !bytes[start...].allSatisfy(standsForItself) {
            bytes.removeSubrange(start...)
            for byte in text.utf8 { try append(escaped: byte) }
        }
        append(UInt8(ascii: "\""))
    }

    private mutating func append(escaped byte: UInt8) throws(StrictJSON.Unwritable) {
        switch byte {
        case 0: throw .nullCharacter
        case 0x08: append("\\b")
        case 0x09: append("\\t")
        case 0x0a: append("\\n")
        case 0x0c: append("\\f")
        case 0x0d: append("\\r")
        case ..<0x20:
            append(byte < 0x10 ? "\\u000" : "\\u001")
            append(String(byte & 0xf, radix: 16))
        case UInt8(ascii: "\""): append("\\\"")
        case UInt8(ascii: "\\"): append("\\\\")
        default: bytes.append(byte)
        }
    }

    private mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }
}

/// Returns true for all bytes of a string except quotation marks, backslashes and control
/// characters.
func standsForItself(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
}
