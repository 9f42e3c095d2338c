/// The result of a rule.
package enum RuleResult<Refusal: Equatable & Sendable>: Equatable, Sendable {
    case accepted
    case refused(Refusal)

    package var isAccepted: Bool { self == .accepted }

    package var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}
