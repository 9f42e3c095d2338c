/// The value of a parameter: `Item`, `Item?` or `[Item]`.
package protocol ParameterValue: Sendable {
    associatedtype Item: ArgumentValue
    static var occurrence: Occurrence { get }

    /// Converts the items; their number fits `occurrence`.
    static func value(of items: [Item]) -> Self
}

/// How often a parameter is given.
package enum Occurrence: Sendable {
    case required, optional, repeated
}

extension ArgumentValue {
    package static var occurrence: Occurrence { .required }
    package static func value(of items: [Self]) -> Self { items[0] }
}

extension Optional: ParameterValue where Wrapped: ArgumentValue {
    package static var occurrence: Occurrence { .optional }
    package static func value(of items: [Wrapped]) -> Wrapped? { items.first }
}

extension Array: ParameterValue where Element: ArgumentValue {
    package static var occurrence: Occurrence { .repeated }
    package static func value(of items: [Element]) -> [Element] { items }
}
