/// The name of a column.
///
/// Declare each name once, as a `static let`.
package struct Column: Sendable {
    package let name: StaticString

    package init(_ name: StaticString) {
        // A literal of one character may have none; comparisons use the address.
        precondition(name.hasPointerRepresentation)
        self.name = name
    }
}

extension Column: Hashable {
    /// Compares addresses: each name is declared once, and rows are read with many comparisons.
    package static func == (first: Column, second: Column) -> Bool {
        first.name.utf8Start == second.name.utf8Start
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(name.utf8Start)
    }
}

extension Column: CustomStringConvertible {
    package var description: String { name.description }
}

/// The columns of a table, listed once for all statements.
package struct Table: Sendable {
    package let name: StaticString
    /// The primary key.
    package let key: [Column]
    /// All other columns.
    package let values: [Column]
    /// Inserts a row with all columns.
    package let insertion: Statement

    package init(
        _ name: StaticString,
        key: [Column],
        _ values: [Column]
    ) {
        self.name = name
        self.key = key
        self.values = values
        insertion = Statement("INSERT INTO \(table: name) \(insert: key + values)")
    }

    package var columns: [Column] { key + values }
}
