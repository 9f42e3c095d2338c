package import StrictJSON
import Transactions

/// A violation in a problem.
package struct ProblemError: Codable, Equatable, Sendable {
    /// The member of the content, as a JSON pointer (RFC 6901).
    package let pointer: String?
    /// The parameter of the query.
    package let parameter: String?
    package let rule: String
    package let value: String?
    package let detail: String

    package init(ofContent violation: Violation) {
        self.init(violation, pointer: visible(violation.pointer))
    }

    package init(ofQuery violation: Violation) {
        self.init(violation, parameter: visible(violation.pointer))
    }

    private init(_ violation: Violation, pointer: String? = nil, parameter: String? = nil) {
        self.pointer = pointer
        self.parameter = parameter
        rule = violation.rule.rawValue
        value = violation.value.map(visible)
        detail = violation.sentence
    }
}
