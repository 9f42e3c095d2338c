/// The values of a row by column name.
package struct NamedValues: ExpressibleByDictionaryLiteral, Sendable {
    private var pairs: [(column: Column, value: SQLValue)]

    package init(dictionaryLiteral pairs: (Column, SQLValue)...) {
        self.pairs = pairs
    }

    package static func + (first: NamedValues, second: NamedValues) -> NamedValues {
        var all = first
        all.pairs += second.pairs
        return all
    }

    /// A missing value is a bug of the caller.
    package subscript(column: Column) -> SQLValue {
        get throws(StoreFailure) {
            for pair in pairs where pair.column == column { return pair.value }
            throw .misuse
        }
    }

    package subscript(columns: [Column]) -> [SQLValue] {
        get throws(StoreFailure) {
            try columns.map { column throws(StoreFailure) in try self[column] }
        }
    }
}
