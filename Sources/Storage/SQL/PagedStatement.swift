/// A query that reads a table in pages, in the order of a key.
///
/// The first page has no lower limit: a writer of the database can add a row with an empty key, which
/// is before all others.
package struct PagedStatement: Sendable {
    fileprivate let first: Statement
    fileprivate let next: Statement

    /// `select` has neither a condition nor a parameter.
    package init(_ select: SQL, by key: [Column], of table: Table? = nil) {
        first = Statement("\(select) \(orderedBy: key, of: table)")
        next = Statement("\(select) \(after: key, of: table)")
    }
}

extension SQLConnection {
    /// Up to `limit` rows after a key; nil is the place before the first row.
    package func rows(
        _ pages: PagedStatement,
        after key: [SQLValue]?,
        limit: Int
    ) throws(StoreFailure) -> [Row] {
        let limit = SQLValue.integer(Int64(limit))
        guard let key else { return try rows(pages.first, [limit]) }
        return try rows(pages.next, key + [limit])
    }
}
