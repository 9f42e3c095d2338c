/// An open connection inside one transaction.
///
/// If a statement fails, the whole job has failed: nothing that it wrote is kept. If a conflict is
/// expected, handle it in the statement, for example with `ON CONFLICT DO NOTHING`.
package protocol SQLConnection: AnyObject {
    /// Data that the jobs of one transaction share; nil at its beginning, and after a job that failed.
    var shared: (any SharedData)? { get set }

    /// Returns how many rows an `INSERT`, `UPDATE` or `DELETE` changed.
    @discardableResult
    func run(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> Int

    /// Returns all rows of a `SELECT` or of a `RETURNING` clause.
    func rows(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> [Row]
}

extension SQLConnection {
    /// The same with values by name; values that the statement does not name are ignored.
    @discardableResult
    package func run(_ statement: Statement, _ values: NamedValues) throws(StoreFailure) -> Int {
        try run(statement, statement.arranged(values))
    }
}

/// Data that the jobs of one transaction share.
package protocol SharedData: AnyObject {
    /// Writes what the jobs left to the end of their transaction; nothing if it is written.
    func write(on connection: any SQLConnection) throws(StoreFailure)
}
