/// A statement that reads, with its values.
///
/// A job can name the queries that it will probably make. A store on a server sends those of several
/// jobs together.
package struct Query: Sendable {
    let statement: Statement
    let values: [SQLValue]

    package init(_ statement: Statement, _ values: [SQLValue]) {
        self.statement = statement
        self.values = values
    }
}

extension Query: Hashable {
    package static func == (first: Query, second: Query) -> Bool {
        first.statement === second.statement && first.values == second.values
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(statement))
        hasher.combine(values)
    }
}

extension SQLConnection {
    package func rows(_ query: Query) throws(StoreFailure) -> [Row] {
        try rows(query.statement, query.values)
    }
}
