import CSQLite

extension SQLiteConnection {
    /// Makes private tables that exist as long as their connection.
    ///
    /// Rows that do not fit into the cache are in a file that is unlinked as soon as it is open.
    package static func scratch(_ tables: String) throws(StoreFailure) -> SQLiteConnection {
        let connection = try SQLiteConnection("", .readWrite, busyTimeout: .zero)
        // Nothing is rolled back here; defensive mode does not allow the journal to be turned off.
        try connection.set(SQLITE_DBCONFIG_DEFENSIVE, false)
        try connection.execute(
            "PRAGMA journal_mode = OFF; PRAGMA secure_delete = OFF; \(tables) BEGIN;"
        )
        return connection
    }
}
