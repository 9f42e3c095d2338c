extension SQLiteConnection {
    /// The columns and the unique keys of all tables, with the types of PostgreSQL.
    var tableFacts: Set<TableFact> {
        get throws(StoreFailure) {
            let columns = try rows(.columns, []).map { row throws(StoreFailure) in
                TableFact(table: try row.values[0].text, text: try row.values[1].text)
            }
            let keys = try rows(.uniqueKeys, []).map { row throws(StoreFailure) in
                let definition = row.values[2] == .null ? "" : try row.values[2].text
                let words = definition.split(whereSeparator: \.isWhitespace)
                let condition = words.drop { $0 != "WHERE" }
                let text = [Substring(try row.values[1].text)] + condition
                return TableFact(table: try row.values[0].text, text: text.joined(separator: " "))
            }
            return Set(columns + keys)
        }
    }
}

extension Statement {
    fileprivate static let columns = Statement(
        """
        SELECT tables.name, 'COLUMN ' || columns.name || ' '
            || CASE columns.type WHEN 'BLOB' THEN 'bytea' WHEN 'TEXT' THEN 'text' ELSE 'bigint' END
            || CASE WHEN columns."notnull" OR columns.pk > 0 THEN ' not null' ELSE '' END
        FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table'
        """
    )
    /// The columns of a key are in the order of their names: it does not matter for its rule.
    fileprivate static let uniqueKeys = Statement(
        """
        SELECT tables.name, 'PRIMARY KEY ' || (SELECT group_concat(name, ',') FROM (
            SELECT name FROM pragma_table_info(tables.name) WHERE pk > 0 ORDER BY name
        )), NULL
        FROM sqlite_schema AS tables
        WHERE tables.type = 'table'
            AND EXISTS (SELECT 1 FROM pragma_table_info(tables.name) WHERE pk > 0)
        UNION ALL
        SELECT tables.name, 'UNIQUE ' || (SELECT group_concat(name, ',') FROM (
            SELECT name FROM pragma_index_info(indexes.name) ORDER BY name
        )), definitions.sql
        FROM sqlite_schema AS tables, pragma_index_list(tables.name) AS indexes
            LEFT JOIN sqlite_schema AS definitions ON definitions.name = indexes.name
        WHERE tables.type = 'table' AND indexes."unique" AND indexes.origin <> 'pk'
        """
    )
}
