/// The query: known names with plain values, each name at most once.
struct Query: Equatable, Sendable {
    private var values: [String: String] = [:]

    /// Nil if a name is unknown or repeated, or a value would need an escape.
    init?(_ text: Substring?, names: Set<String>) {
        guard let text else { return }
        for part in text.split(separator: "&", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false)
            guard
                sides.count == 2, names.contains(String(sides[0])), values[String(sides[0])] == nil,
                !sides[1].isEmpty, sides[1].utf8.allSatisfy(isPlain)
            else { return nil }
            values[String(sides[0])] = String(sides[1])
        }
    }

    func text(_ name: String) -> String? { values[name] }

    /// `default` if the name is missing; nil if the value is not a number in `range`.
    func number<Number: FixedWidthInteger>(
        _ name: String,
        in range: ClosedRange<Number>,
        default: Number
    ) -> Number? {
        guard let text = values[name] else { return `default` }
        guard let number = Number(text), String(number) == text, range.contains(number) else {
            return nil
        }
        return number
    }
}

/// RFC 3986, section 2.3.
private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        true
    default: false
    }
}
