/// A step from one version of the tables to the next.
///
/// The first step makes version 1. A released step never changes: stores exist that took it.
package struct Migration: Sendable {
    /// One or more statements, each with its semicolon.
    package let statements: @Sendable (SQLDialect) -> String

    package init(_ statements: @escaping @Sendable (SQLDialect) -> String) {
        self.statements = statements
    }
}
