import CSQLite

extension SQLiteConnection {
    /// Opens a file of ours for reading and writing, where it is moved on to the last of `migrations`,
    /// now or before.
    ///
    /// A refused file stays as it was, and a write-ahead log beside it too.
    static func open(
        _ file: DatabaseFile,
        migrations: [Migration],
        migrates: Bool,
        busyTimeout: Duration,
        checksWholeFile: Bool
    ) throws(StoreFailure) -> SQLiteConnection {
        let hasLog = try file.hasLog
        try checkUnopened(file, hasLog: hasLog, knownVersion: migrations.count)
        let connection = try SQLiteConnection(file.path, .readWrite, busyTimeout: busyTimeout)
        try connection.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, hasLog)
        // The log may know better than the header.
        let version = try connection.version
        guard version <= migrations.count else { throw .newer(version: version) }
        guard migrates || version == migrations.count else { throw .older(version: version) }
        if checksWholeFile { try connection.checkIntegrity() }
        try connection.useLog()
        try connection.migrate(by: migrations)
        try connection.checkTables(by: migrations)
        try connection.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
        return connection
    }

    /// Refuses what can be refused before SQLite changes anything beside the file.
    private static func checkUnopened(
        _ file: DatabaseFile,
        hasLog: Bool,
        knownVersion: Int
    ) throws(StoreFailure) {
        try file.checkPresent()
        let header = try FileHeader(ofFileAt: file.path)
        guard header.version <= knownVersion else { throw .newer(version: header.version) }
        guard header.isLogged || !hasLog else { throw .unsafeFile(.strayLog) }
        // SQLite would take zeros for what is missing of the last page.
        let byteCount = try file.byteCount
        guard hasLog || byteCount.isMultiple(of: header.pageByteCount) else { throw .damaged }
    }

    /// Finds pages, records and indexes that contradict each other.
    ///
    /// It cannot find a value that became another value of its type where no index holds it too:
    /// SQLite keeps no checksums.
    func checkIntegrity() throws(StoreFailure) {
        guard try rows(.integrityCheck, []) == [Row([.text("ok")])] else { throw .damaged }
    }

    /// Refuses a file in which anything else is defined than the migrations define: a trigger would
    /// change what is written, on and on, for whoever once could write to the file.
    private func checkTables(by migrations: [Migration]) throws(StoreFailure) {
        let empty = try SQLiteConnection(":memory:", .readWrite, busyTimeout: .zero)
        try empty.migrate(by: migrations)
        guard try rows(.definitions, []) == empty.rows(.definitions, []) else { throw .foreign }
    }

    func useLog() throws(StoreFailure) {
        guard try rows(.useLog, []) == [Row([.text("wal")])] else { throw .unavailable }
    }

    /// Takes each step that is missing in a transaction of its own.
    func migrate(by migrations: [Migration]) throws(StoreFailure) {
        while try version < migrations.count {
            try execute("BEGIN IMMEDIATE")
            do throws(StoreFailure) {
                try takeNextStep(of: migrations)
                try execute("COMMIT")
            } catch {
                undoTransaction()
                throw error
            }
        }
    }

    private func takeNextStep(of migrations: [Migration]) throws(StoreFailure) {
        // Another process may have taken it while this one waited.
        let version = try version
        guard version < migrations.count else { return }
        try execute(migrations[version].statements(.sqlite))
        try execute("PRAGMA user_version = \(version + 1)")
    }
}

extension Statement {
    fileprivate static let integrityCheck = Statement("PRAGMA integrity_check(1)")
    // The same pages in another order are the same tables.
    fileprivate static let definitions = Statement(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    )
    fileprivate static let useLog = Statement("PRAGMA journal_mode = WAL")
}
