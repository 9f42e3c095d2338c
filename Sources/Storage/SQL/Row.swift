/// One result row, which is read by column name.
///
/// A value of an unexpected type means that the row was not written by this program.
package struct Row: Sendable {
    package let values: [SQLValue]
    private let columns: [Column]

    package init(_ values: [SQLValue], of statement: Statement? = nil) {
        self.values = values
        columns = statement?.columns ?? []
    }

    /// A column that the statement does not select is a bug of the caller.
    package subscript(column: Column) -> SQLValue {
        get throws(StoreFailure) {
            guard let index = columns.firstIndex(of: column), index < values.count else {
                throw .misuse
            }
            return values[index]
        }
    }

    package subscript(columns: [Column]) -> [SQLValue] {
        get throws(StoreFailure) {
            try columns.map { column throws(StoreFailure) in try self[column] }
        }
    }

    package func integer(_ column: Column) throws(StoreFailure) -> Int64 {
        try self[column].integer
    }

    package func text(_ column: Column) throws(StoreFailure) -> String {
        try self[column].text
    }

    package func bytes(_ column: Column) throws(StoreFailure) -> [UInt8] {
        try self[column].bytes
    }

    package func isNull(_ column: Column) throws(StoreFailure) -> Bool {
        try self[column] == .null
    }

    package func optionalInteger(_ column: Column) throws(StoreFailure) -> Int64? {
        try isNull(column) ? nil : try integer(column)
    }

    package func optionalText(_ column: Column) throws(StoreFailure) -> String? {
        try isNull(column) ? nil : try text(column)
    }

    package func optionalBytes(_ column: Column) throws(StoreFailure) -> [UInt8]? {
        try isNull(column) ? nil : try bytes(column)
    }
}

extension Row: Equatable {
    package static func == (first: Row, second: Row) -> Bool { first.values == second.values }
}
