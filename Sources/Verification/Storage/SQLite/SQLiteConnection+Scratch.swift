import CSQLite

extension SQLiteConnection {
    /// Tables that nobody else sees and that end with their connection.
    ///
    /// What is more than the cache holds is in a file whose name is gone as soon as it is open.
    static func scratch(_ tables: String) throws(StoreFailure) -> SQLiteConnection {
        let connection = try SQLiteConnection("", .readWrite, busyTimeout: .zero)
        // Nothing is ever undone here, and who defends a file keeps its journal.
        try connection.set(SQLITE_DBCONFIG_DEFENSIVE, false)
        try connection.execute(
            "PRAGMA journal_mode = OFF; PRAGMA secure_delete = OFF; \(tables) BEGIN;"
        )
        return connection
    }
}
