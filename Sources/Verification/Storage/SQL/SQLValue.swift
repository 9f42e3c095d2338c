/// A value that both engines store and give back unchanged.
package enum SQLValue: Equatable, Sendable {
    case null
    case integer(Int64)
    /// Without NUL, which PostgreSQL does not take.
    case text(String)
    case bytes([UInt8])
}

/// What is bound may be an identifier, a digest or a sealed seed: none of it prints.
extension SQLValue: CustomStringConvertible, CustomReflectable {
    package var description: String { "<redacted>" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
