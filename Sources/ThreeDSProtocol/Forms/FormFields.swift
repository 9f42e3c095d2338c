import StrictJSON

/// The fields of a form as a browser posts them (`application/x-www-form-urlencoded`).
package struct FormFields: Sendable {
    private let fields: [(name: String, value: String)]

    package static let maximumByteCount = 8 << 10

    /// Nil if the body is too long, has a malformed escape, is not UTF-8 or repeats a name.
    ///
    /// A NUL is malformed, too: no JSON of this project has one.
    package init?(reading body: [UInt8]) {
        guard body.count <= Self.maximumByteCount else { return nil }
        var fields: [(name: String, value: String)] = []
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            guard let name = Self.decoded(parts[0]),
                let value = Self.decoded(parts.count > 1 ? parts[1] : []),
                !fields.contains(where: { $0.name.hasBytes(of: name) }), fields.count < 64
            else { return nil }
            fields.append((name, value))
        }
        self.fields = fields
    }

    package subscript(name: String) -> String? {
        fields.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(digit),
                    let low = rest.popFirst().flatMap(digit)
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
