/// What engines spell differently in the definition of a table.
package struct SQLDialect: Sendable {
    /// 64 bits with a sign.
    package let integer: String
    package let bytes: String
    /// The value of none of them.
    package let noBytes: String
    /// What follows the closing parenthesis of `CREATE TABLE`.
    package let tableOptions: String
    /// The same for a table that lies in the order of a primary key that is no plain integer.
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
