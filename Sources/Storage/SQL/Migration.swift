/// A step from one version of the tables to the next.
///
/// The first step makes version 1. A released step never changes: stores exist that took it.
package struct Migration: Sendable {
    /// One or more statements, each with its semicolon.
    package let statements: @Sendable (SQLDialect) -> String

    package init(_ statements: @escaping @Sendable (SQLDialect) -> String) {
        self.statements = statements
    }

    /// The places of the first versions, if no store has one of them any more.
    package static func forgotten(_ count: Int) -> [Migration] {
        Array(repeating: Migration { _ in "SELECT 1;" }, count: count)
    }
}
