import CSQLite
import PrivateFiles

extension SQLiteConnection {
    /// Opens a file for reading and writing, and applies the `migrations` that it lacks.
    ///
    /// A rejected file stays unchanged, and so does its write-ahead log.
    static func open(
        _ file: DatabaseFile,
        migrations: [Migration],
        migrates: Bool,
        busyTimeout: Duration,
        checksWholeFile: Bool
    ) throws(StoreFailure) -> SQLiteConnection {
        let hasLog = try file.hasLog
        try checkUnopened(file, hasLog: hasLog, migrations)
        let connection = try SQLiteConnection(file.path, .readWrite, busyTimeout: busyTimeout)
        try connection.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, hasLog)
        // The log may contain a later version than the header.
        let version = try connection.version
        guard version <= migrations.count else {
            throw try connection.isForeign(to: migrations) ? .foreign : .newer(version: version)
        }
        guard migrates || version == migrations.count else {
            throw try connection.isForeign(to: migrations) ? .foreign : .older(version: version)
        }
        if checksWholeFile { try connection.checkIntegrity() }
        try connection.checkTables(by: migrations)
        try connection.useLog()
        try connection.migrate(by: migrations)
        try connection.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)
        return connection
    }

    /// Another connection to an opened file; fails if its path leads to another file now.
    static func open(
        _ file: DatabaseFile,
        ifStill identity: FileStatus.Identity?,
        busyTimeout: Duration
    ) throws(StoreFailure) -> SQLiteConnection {
        let connection = try SQLiteConnection(file.path, .readWrite, busyTimeout: busyTimeout)
        try file.check(isStill: identity)
        return connection
    }

    /// Makes all checks that are possible before SQLite changes any file.
    private static func checkUnopened(
        _ file: DatabaseFile,
        hasLog: Bool,
        _ migrations: [Migration]
    ) throws(StoreFailure) {
        try file.checkPresent()
        let header = try FileHeader(ofFileAt: file.path)
        guard header.version <= migrations.count else {
            let connection = try SQLiteConnection(file.path, .snapshot, busyTimeout: .zero)
            throw try connection.isForeign(to: migrations)
                ? .foreign : .newer(version: header.version)
        }
        guard header.isLogged || !hasLog else { throw .strayLog }
        // SQLite reads a missing part of the last page as zeros.
        let byteCount = try file.byteCount
        guard hasLog || byteCount.isMultiple(of: header.pageByteCount) else { throw .damaged }
    }

    /// Finds pages, records and indexes that contradict each other.
    ///
    /// SQLite has no checksums: a value that changed to another value of its type is found only if an
    /// index contains it too.
    func checkIntegrity() throws(StoreFailure) {
        guard try rows(.integrityCheck, []) == [Row([.text("ok")])] else { throw .damaged }
    }

    /// Rejects a file with definitions that are not from the migrations up to its version.
    ///
    /// It is the store of another program, or an attacker wrote to the file once. A trigger, for
    /// example, changes every later row. So such a file is not migrated either.
    private func checkTables(by migrations: [Migration]) throws(StoreFailure) {
        // In one transaction: another process may migrate the file at the same time.
        try execute("BEGIN")
        let (version, definitions): (Int, [Definition])
        do throws(StoreFailure) {
            version = try self.version
            definitions = try self.definitions
            try execute("COMMIT")
        } catch {
            undoTransaction()
            throw error
        }
        guard version <= migrations.count else { throw .newer(version: version) }
        guard try definitions == Self.definitions(by: Array(migrations[..<version])) else {
            throw .foreign
        }
    }

    /// The definitions after these migrations, which are made once: each audit opens the store again.
    private static func definitions(by migrations: [Migration]) throws(StoreFailure) -> [Definition]
    {
        let text = migrations.map { $0.statements(.sqlite) }.joined()
        if let known = knownDefinitions.withLock({ $0[text] }) { return known }
        let empty = try SQLiteConnection(":memory:", .readWrite, busyTimeout: .zero)
        try empty.migrate(by: migrations)
        let definitions = try empty.definitions
        knownDefinitions.withLock { $0[text] = definitions }
        return definitions
    }

    /// By the text of their migrations, so they cannot be those of others.
    private static let knownDefinitions = LockedValue<[String: [Definition]]>([:])

    private var definitions: [Definition] {
        get throws(StoreFailure) {
            try rows(.definitions, []).map(Definition.init(row:))
        }
    }

    /// Whether it is the store of another program: each release of this one has some of the tables.
    private func isForeign(to migrations: [Migration]) throws(StoreFailure) -> Bool {
        let own = try SQLiteConnection(":memory:", .readWrite, busyTimeout: .zero)
        try own.migrate(by: migrations)
        let names = try own.rows(.tables, [])
        let found = try rows(.tables, [])
        // An empty file is one before the first release.
        return !found.isEmpty && !found.contains(where: names.contains)
    }

    func useLog() throws(StoreFailure) {
        guard try rows(.useLog, []) == [Row([.text("wal")])] else { throw .unavailable }
    }

    /// Applies each missing step in a transaction of its own.
    func migrate(by migrations: [Migration]) throws(StoreFailure) {
        while try version < migrations.count {
            try execute("BEGIN IMMEDIATE")
            do throws(StoreFailure) {
                try applyNextStep(of: migrations)
                try execute("COMMIT")
            } catch {
                undoTransaction()
                throw error
            }
        }
    }

    private func applyNextStep(of migrations: [Migration]) throws(StoreFailure) {
        // Another process may have applied it while this one waited.
        let version = try version
        guard version < migrations.count else { return }
        try execute(migrations[version].statements(.sqlite))
        try execute("PRAGMA user_version = \(version + 1)")
    }
}

/// A table, an index, a view or a trigger, as SQLite stores its definition.
private struct Definition: Equatable {
    let row: Row

    /// A migration that adds a column writes it behind the last one, in its line: all spaces are equal.
    static func == (left: Definition, right: Definition) -> Bool {
        left.row == right.row || left.withoutNeedlessSpaces == right.withoutNeedlessSpaces
    }

    private var withoutNeedlessSpaces: [SQLValue] {
        row.values.map { value in
            guard case .text(let text) = value else { return value }
            return .text(Self.withoutNeedlessSpaces(text))
        }
    }

    /// The same words and signs: no name and no literal of a migration contains a space.
    private static func withoutNeedlessSpaces(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\n") {
                if "(),".utf8.contains(byte), bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
                bytes.append(byte)
            } else if let last = bytes.last, !"(, ".utf8.contains(last) {
                bytes.append(UInt8(ascii: " "))
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Statement {
    fileprivate static let integrityCheck = Statement("PRAGMA integrity_check(1)")
    fileprivate static let definitions = Statement(
        "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name"
    )
    fileprivate static let tables = Statement(
        "SELECT name FROM sqlite_schema WHERE type = 'table'"
    )
    fileprivate static let useLog = Statement("PRAGMA journal_mode = WAL")
}
