import StrictJSON

/// The closed set of conditions under which a field is in a message.
package indirect enum Condition: Sendable {
    /// The element has one of these values; of an array, at least one element has.
    case element(String, in: [String])
    case present(String)
    /// The receiver of the message.
    case sentTo(Component)
    case not(Condition)
    case all([Condition])
    case any([Condition])
    /// A rule outside of the message, in words: code cannot evaluate it.
    case rule(String)

    /// Nil if the message and the known facts do not decide it.
    func holds(in scope: Scope) -> Bool? {
        switch self {
        case .element(let name, let values):
            scope.texts(of: name).map { texts in
                texts.contains { text in values.contains { $0.hasBytes(of: text) } }
            }
        case .present(let name): scope.texts(of: name).map { !$0.isEmpty }
        case .sentTo(let component): scope.receiver == component
        case .not(let condition): condition.holds(in: scope).map { !$0 }
        case .all(let conditions): Self.conjunction(conditions.map { $0.holds(in: scope) })
        case .any(let conditions):
            Self.conjunction(conditions.map { $0.holds(in: scope).map { !$0 } }).map { !$0 }
        case .rule: nil
        }
    }

    private static func conjunction(_ values: [Bool?]) -> Bool? {
        if values.contains(false) { return false }
        return values.contains(nil) ? nil : true
    }

    package var words: String {
        switch self {
        case .element(let name, let values): "`\(name)` is \(values.joined(separator: ", "))"
        case .present(let name): "`\(name)` is present"
        case .sentTo(let component): "sent to \(component.words)"
        case .not(.present(let name)): "`\(name)` is absent"
        case .not(.element(let name, let values)):
            "`\(name)` is not \(values.joined(separator: ", "))"
        case .not(let condition): "not (\(condition.words))"
        case .all(let conditions): conditions.map(\.nestedWords).joined(separator: " and ")
        case .any(let conditions): conditions.map(\.nestedWords).joined(separator: " or ")
        case .rule(let words): words
        }
    }

    private var nestedWords: String {
        switch self {
        case .all, .any: "(\(words))"
        default: words
        }
    }
}
