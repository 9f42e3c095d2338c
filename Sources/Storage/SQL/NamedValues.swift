/// The values of a row by column name.
package struct NamedValues: ExpressibleByDictionaryLiteral, Sendable {
    // Without labels, as in the literal, which is then not copied.
    private var pairs: [(Column, SQLValue)]

    package init(dictionaryLiteral pairs: (Column, SQLValue)...) {
        self.pairs = pairs
    }

    package static func + (first: consuming NamedValues, second: NamedValues) -> NamedValues {
        first.pairs += second.pairs
        return first
    }

    /// Adds a value, which must not be there yet.
    package mutating func append(_ column: Column, _ value: SQLValue) {
        pairs.append((column, value))
    }

    /// A missing value is a bug of the caller.
    package subscript(column: Column) -> SQLValue {
        get throws(StoreFailure) {
            for (name, value) in pairs where name == column { return value }
            throw .misuse
        }
    }

    package subscript(columns: [Column]) -> [SQLValue] {
        get throws(StoreFailure) {
            try columns.map { column throws(StoreFailure) in try self[column] }
        }
    }
}
