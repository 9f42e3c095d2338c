import StrictJSON

/// The query: known parameters with valid values, each at most once.
struct Query: Equatable, Sendable {
    private var values: [String: String] = [:]

    init(
        _ text: Substring?,
        parameters: [QueryParameter]
    ) throws(InvalidQuery) {
        var violations: [Violation] = []
        let parts = text?.split(separator: "&", omittingEmptySubsequences: false) ?? []
        for part in parts {
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(sides[0])
            let value = sides.count == 2 ? String(sides[1]) : nil
            func violates(_ rule: Violation.Rule, _ sentence: String) {
                violations.append(Violation(name, rule, value: value, sentence))
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
            values[name] = value ?? ""
            if !parameter.accepts(value ?? "") { violates(.notAllowed, parameter.rule) }
        }
        guard violations.isEmpty else { throw InvalidQuery(violations: violations) }
    }

    func text(_ name: String) -> String? { values[name] }

    /// The caller has declared the parameter as a number of this type.
    func number<Number: FixedWidthInteger>(_ name: String, default: Number) -> Number {
        values[name].flatMap { Number($0) } ?? `default`
    }
}

/// A parameter of a query.
///
/// No valid value needs an escape.
struct QueryParameter: Sendable {
    let name: String
    /// The allowed values, as a sentence for developers.
    let rule: String
    let accepts: @Sendable (String) -> Bool

    static func number(_ name: String, _ range: ClosedRange<UInt64>) -> QueryParameter {
        let rule =
            range.upperBound == Int64.max
            ? "Must be a number." : "Must be from \(range.lowerBound) to \(range.upperBound)."
        return QueryParameter(name: name, rule: rule) { text in
            UInt64(text).map { String($0) == text && range.contains($0) } ?? false
        }
    }

    /// The last number that the caller has.
    static let after = number("after", 0...UInt64(Int64.max))

    static func choice(_ name: String, _ values: [String]) -> QueryParameter {
        let rule = "Must be one of: \(values.joined(separator: ", "))."
        return QueryParameter(name: name, rule: rule) { values.contains($0) }
    }
}

/// The rules that the parameters break; the pointers are their names.
struct InvalidQuery: Error, Equatable {
    let violations: [Violation]
}
