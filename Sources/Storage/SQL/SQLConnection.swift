/// An open connection inside one transaction.
///
/// If a statement fails, the whole job has failed: nothing that it wrote is kept. If a conflict is
/// expected, handle it in the statement, for example with `ON CONFLICT DO NOTHING`.
package protocol SQLConnection: AnyObject {
    /// Data that the jobs of one transaction share; nil at its beginning.
    var shared: (any SharedData)? { get set }

    /// Returns how many rows an `INSERT`, `UPDATE` or `DELETE` changed.
    @discardableResult
    func run(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> Int

    /// Changes `rowCount` rows, or any number if it is nil; otherwise the job fails with `conflict`.
    ///
    /// The failure can be thrown by a later call, or at the end of the transaction: a server need not
    /// respond to each statement.
    func change(
        _ statement: Statement,
        _ values: [SQLValue],
        rowCount: Int?
    ) throws(StoreFailure)

    /// Returns all rows of a `SELECT` or of a `RETURNING` clause.
    func rows(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> [Row]
}

extension SQLConnection {
    /// The same with values by name, by default for one row.
    package func change(
        _ statement: Statement,
        _ values: NamedValues,
        rowCount: Int? = 1
    ) throws(StoreFailure) {
        try change(statement, statement.arranged(values), rowCount: rowCount)
    }

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

    /// Forgets what the last job did, which failed and is undone.
    ///
    /// `write` was called after each job before.
    func undoJob()

    /// Whether the store has the state that the jobs left, as far as this data can prove it.
    ///
    /// Called after a commit with an unknown result, in a later transaction.
    func isCommitted(on connection: any SQLConnection) throws(StoreFailure) -> Bool

    /// Called after the commit, before another transaction of this store writes.
    func committed()
}
