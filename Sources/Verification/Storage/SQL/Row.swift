/// One row of an answer, read by the columns' order in the statement.
///
/// A value of another type than the asked one means that the file holds what no statement of ours
/// wrote.
package struct Row: Equatable, Sendable {
    let values: [SQLValue]

    package init(_ values: [SQLValue]) {
        self.values = values
    }

    package func integer(_ column: Int) throws(StoreFailure) -> Int64 {
        guard case .integer(let value) = values[column] else { throw .damaged }
        return value
    }

    package func text(_ column: Int) throws(StoreFailure) -> String {
        guard case .text(let value) = values[column] else { throw .damaged }
        return value
    }

    package func bytes(_ column: Int) throws(StoreFailure) -> [UInt8] {
        guard case .bytes(let value) = values[column] else { throw .damaged }
        return value
    }

    package func optionalInteger(_ column: Int) throws(StoreFailure) -> Int64? {
        values[column] == .null ? nil : try integer(column)
    }

    package func optionalText(_ column: Int) throws(StoreFailure) -> String? {
        values[column] == .null ? nil : try text(column)
    }

    package func optionalBytes(_ column: Int) throws(StoreFailure) -> [UInt8]? {
        values[column] == .null ? nil : try bytes(column)
    }
}
