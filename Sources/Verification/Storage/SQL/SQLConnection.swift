/// An open connection inside one transaction.
///
/// A statement that fails has failed the whole work: whatever the work does about it, nothing that
/// it wrote is kept. Say in the statement what may happen, as `ON CONFLICT DO NOTHING` does.
package protocol SQLConnection: AnyObject {
    /// Gives how many rows an `INSERT`, `UPDATE` or `DELETE` changed.
    @discardableResult
    func run(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> Int

    /// Gives all rows of a `SELECT`, or of what follows `RETURNING`.
    func rows(_ statement: Statement, _ values: [SQLValue]) throws(StoreFailure) -> [Row]
}
