/// The parts of a table definition that the engines spell differently.
package struct SQLDialect: Sendable {
    /// A signed 64-bit integer.
    package let integer: String
    package let bytes: String
    /// An empty byte string.
    package let noBytes: String
    /// Follows the closing parenthesis of `CREATE TABLE`.
    package let tableOptions: String
    /// The same for a table that is stored in the order of its primary key.
    ///
    /// The key must not be a single integer.
    package let keyedTableOptions: String

    package static let sqlite = SQLDialect(
        integer: "INTEGER",
        bytes: "BLOB",
        noBytes: "x''",
        tableOptions: "STRICT",
        keyedTableOptions: "STRICT, WITHOUT ROWID"
    )

    package static let postgreSQL = SQLDialect(
        integer: "BIGINT",
        bytes: "BYTEA",
        noBytes: "''",
        tableOptions: "",
        keyedTableOptions: ""
    )
}
