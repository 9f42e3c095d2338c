/// A rule that a member of a document breaks.
package struct Violation: Equatable, Sendable {
    /// The stable name of a rule: programs depend on it.
    package struct Rule: RawRepresentable, Hashable, Sendable {
        package let rawValue: String

        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A JSON pointer (RFC 6901), also of a missing member.
    package let pointer: String
    package let rule: Rule
    /// The beginning of the value; nil if it is missing, unknown, or not a text or number.
    package let value: String?
    /// The rule with its limits, as a sentence for developers.
    package let sentence: String

    package init(_ pointer: String, _ rule: Rule, value: String? = nil, _ sentence: String) {
        self.pointer = pointer
        self.rule = rule
        self.value = value.map { String($0.prefix(Self.maximumValueLength)) }
        self.sentence = sentence
    }

    private static let maximumValueLength = 200
}

extension Violation.Rule {
    /// The member is required.
    package static let missing = Self(rawValue: "missing")
    /// No rule reads the member.
    package static let unknown = Self(rawValue: "unknown")
    /// The value is null or has another JSON type.
    package static let wrongType = Self(rawValue: "wrongType")
    package static let outOfRange = Self(rawValue: "outOfRange")
    /// An array has too few elements.
    package static let tooFew = Self(rawValue: "tooFew")
    /// An array has too many elements.
    package static let tooMany = Self(rawValue: "tooMany")
    /// The value is none of the allowed ones.
    package static let notAllowed = Self(rawValue: "notAllowed")
    /// The value occurs a second time.
    package static let repeated = Self(rawValue: "repeated")
}

/// The first violations of a document or a query, in the order of reading.
package final class ViolationList {
    private(set) package var violations: [Violation] = []

    package init() {}

    /// Ignores more violations than a person would read.
    package func append(_ violation: Violation) {
        if violations.count < Self.maximumCount { violations.append(violation) }
    }

    private static let maximumCount = 50
}
