/// The results of the queries of a group, which were sent together at its begin.
///
/// A result is used until a change of the group could affect it. A change cannot if it and the query
/// fix one column to different values.
struct PrefetchedResults {
    private var results: [Query: PostgresResult] = [:]
    /// The fixed columns of the queries, by table.
    private var columns: [Substring: Set<Column>] = [:]
    private var changes: [ChangedRows] = []

    /// The rows that the executions of one statement changed.
    private struct ChangedRows {
        let statement: Statement
        /// The values of these rows in the columns that queries fix.
        var values: [Column: Set<SQLValue>] = [:]
    }

    mutating func add(_ result: PostgresResult, of query: Query, on table: Substring) {
        results[query] = result
        columns[table, default: []].formUnion(query.statement.fixedColumns)
    }

    mutating func note(_ change: Statement, _ values: [SQLValue]) {
        guard let table = change.table else {
            results = [:]
            return
        }
        guard let columns = columns[table] else { return }
        let known = changes.firstIndex { $0.statement === change }
        let place = known ?? changes.endIndex
        if known == nil { changes.append(ChangedRows(statement: change)) }
        for column in change.fixedColumns where columns.contains(column) {
            guard let value = change.value(of: column, in: values) else { continue }
            changes[place].values[column, default: []].insert(value)
        }
    }

    /// Nil if the query was not prefetched, or could have another result now.
    func result(of query: Query) -> PostgresResult? {
        guard let result = results[query] else { return nil }
        let isCurrent = changes.allSatisfy { rows in
            rows.statement.table != query.statement.table
                || query.statement.fixedColumns.contains { column in
                    guard
                        let changed = rows.values[column],
                        let value = query.statement.value(of: column, in: query.values)
                    else { return false }
                    return !changed.contains(value)
                }
        }
        return isCurrent ? result : nil
    }
}
