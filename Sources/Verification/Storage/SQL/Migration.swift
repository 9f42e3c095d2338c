/// A step from one version of the tables to the next.
///
/// The first of a list makes version 1. A step that was once released never changes: stores that
/// took it exist.
package struct Migration: Sendable {
    /// One or more statements, each with its semicolon.
    package let statements: @Sendable (SQLDialect) -> String

    package init(_ statements: @escaping @Sendable (SQLDialect) -> String) {
        self.statements = statements
    }
}
