import Cryptography
package import StrictJSON

/// The query of a request: known parameters with valid values, each at most once.
package struct RequestQuery: Equatable, Sendable {
    private var values: [String: String] = [:]

    package init(
        _ text: Substring?,
        parameters: [QueryParameter]
    ) throws(InvalidQuery) {
        let list = ViolationList()
        let parts = text?.split(separator: "&", omittingEmptySubsequences: false) ?? []
        for part in parts {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(sides[0])
            let value = sides.count == 2 ? String(sides[1]) : nil
            func violates(_ rule: Violation.Rule, _ sentence: String) {
                list.append(Violation(name, rule, value: value, sentence))
            }
            guard let parameter = parameters.first(where: { $0.name == name }) else {
                let names = parameters.map(\.name).joined(separator: ", ")
                violates(
                    .unknown,
                    "Is not a parameter of this path. "
                        + "Its parameters: \(names.isEmpty ? "none" : names)."
                )
                continue
            }
            if values[name] != nil { violates(.repeated, "Must occur once.") }
            let read = parameter.read(value ?? "")
            values[name] = read ?? ""
            if read == nil { violates(.notAllowed, parameter.rule) }
        }
        guard list.violations.isEmpty else { throw InvalidQuery(violations: list.violations) }
    }

    package func text(_ name: String) -> String? { values[name] }

    /// The caller has declared the parameter as a number of this type.
    package func number<Number: FixedWidthInteger>(_ name: String, default: Number) -> Number {
        values[name].flatMap { Number($0) } ?? `default`
    }
}

/// A parameter of a query.
package struct QueryParameter: Sendable {
    package let name: String
    /// The allowed values, as a sentence for developers.
    let rule: String
    /// Whether a valid value contains characters that clients may escape.
    private let allowsEscapes: Bool
    private let accepts: @Sendable (String) -> Bool

    package init(
        name: String,
        rule: String,
        allowsEscapes: Bool = false,
        accepts: @escaping @Sendable (String) -> Bool
    ) {
        self.name = name
        self.rule = rule
        self.allowsEscapes = allowsEscapes
        self.accepts = accepts
    }

    /// Nil if the value is not allowed.
    fileprivate func read(_ value: String) -> String? {
        guard let value = allowsEscapes ? unescaped(value) : value, accepts(value) else {
            return nil
        }
        return value
    }

    package static func number(_ name: String, _ range: ClosedRange<UInt64>) -> QueryParameter {
        let rule =
            range.upperBound == Int64.max
            ? "Must be a number." : "Must be from \(range.lowerBound) to \(range.upperBound)."
        return QueryParameter(name: name, rule: rule) { text in
            UInt64(text).map { String($0) == text && range.contains($0) } ?? false
        }
    }

    /// The last number that the caller has.
    package static let after = number("after", 0...UInt64(Int64.max))

    package static func choice(_ name: String, _ values: [String]) -> QueryParameter {
        let rule = "Must be one of: \(values.joined(separator: ", "))."
        return QueryParameter(name: name, rule: rule) { values.contains($0) }
    }
}

/// Decodes `%2F` and other escapes (RFC 3986, section 2.1); nil if one is malformed.
private func unescaped(_ text: String) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        guard byte == UInt8(ascii: "%") else {
            bytes.append(byte)
            continue
        }
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        // The caller gets the rule of the parameter: `try?`.
        guard digits.utf8.count == 2,
            let decoded = try? TextEncoding.hexadecimal.decode(digits)
        else { return nil }
        bytes += decoded
        rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
}

/// The first rules that the parameters break; the pointers are their names.
package struct InvalidQuery: Error, Equatable {
    package let violations: [Violation]
}
