import CSQLite
import Glibc

/// One SQLite handle and the statements that were prepared on it.
///
/// `@unchecked`: its creator passes it to one thread, which alone uses it from then on.
package final class SQLiteConnection: @unchecked Sendable {
    let handle: OpaquePointer
    private let busyTimeout: Duration
    private var prepared: [ObjectIdentifier: PreparedStatement] = [:]
    var failure: StoreFailure?
    package var shared: (any SharedData)?
    /// The pages in the log after a commit that wrote some, if this connection follows it.
    var logPageCount: Int?
    private var isOpen = true

    enum Access {
        case readOnly, readWrite
        /// Reads the file without its log, and creates no file.
        case snapshot

        fileprivate var flags: Int32 {
            switch self {
            case .readOnly: SQLITE_OPEN_READONLY
            case .readWrite: SQLITE_OPEN_READWRITE
            case .snapshot: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
            }
        }

        fileprivate func name(of path: String) -> String {
            self == .snapshot ? "file:\(uriEncoded(path))?immutable=1" : path
        }
    }

    init(_ path: String, _ access: Access, busyTimeout: Duration) throws(StoreFailure) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
        guard Self.isLibraryStarted else { throw .unavailable }
        let code = sqlite3_open_v2(access.name(of: path), &handle, access.flags | flags, nil)
        guard code == SQLITE_OK, let handle else {
            defer { sqlite3_close_v2(handle) }
            throw StoreFailure(sqliteCode: code, on: handle)
        }
        self.handle = handle
        self.busyTimeout = busyTimeout
        try configure()
    }

    /// Read it before the first call of SQLite, which would start the library with its defaults.
    static let isLibraryStarted = countersign_sqlite_start() == SQLITE_OK

    deinit {
        close()
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        prepared = [:]
        sqlite3_close_v2(handle)
    }

    private func configure() throws(StoreFailure) {
        let connection = Unmanaged.passUnretained(self).toOpaque()
        try check(sqlite3_busy_handler(handle, waitForOthers, connection))
        try set(SQLITE_DBCONFIG_DEFENSIVE, true)
        try set(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
        try set(SQLITE_DBCONFIG_ENABLE_FKEY, true)
        try set(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
        try set(SQLITE_DBCONFIG_ENABLE_VIEW, false)
        try set(SQLITE_DBCONFIG_DQS_DML, false)
        try set(SQLITE_DBCONFIG_DQS_DDL, false)
        // Temporary files would be in a shared folder. The cache, in KiB, holds the upper levels of
        // every index for millions of accounts.
        try execute(
            """
            PRAGMA synchronous = FULL;
            PRAGMA cell_size_check = ON;
            PRAGMA secure_delete = ON;
            PRAGMA temp_store = MEMORY;
            PRAGMA cache_size = -32768;
            """
        )
    }

    /// False if SQLite rolled the transaction back itself, as it does when no space is left.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    func set(_ option: Int32, _ isOn: Bool) throws(StoreFailure) {
        try check(countersign_sqlite_configure(handle, option, isOn ? 1 : 0))
    }

    /// Waits a moment; returns false after `busyTimeout`.
    ///
    /// SQLite's own handler sleeps longer each time. It rarely hits the short gaps between the
    /// commits of a busy process.
    fileprivate func wait(time count: Int32) -> Bool {
        guard Duration.milliseconds(count) < busyTimeout else { return false }
        usleep(1000)
        return true
    }

    /// Runs statements without keeping them prepared.
    func execute(_ script: String) throws(StoreFailure) {
        try check(sqlite3_exec(handle, script, nil, nil, nil))
    }

    private func check(_ code: Int32) throws(StoreFailure) {
        guard code == SQLITE_OK else { throw StoreFailure(sqliteCode: code, on: handle) }
    }
}

private func waitForOthers(_ connection: UnsafeMutableRawPointer?, _ count: Int32) -> Int32 {
    guard let connection else { return 0 }
    let waits = Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue()
        .wait(time: count)
    return waits ? 1 : 0
}

extension SQLiteConnection: JobConnection {
    func endJob() throws(StoreFailure) { if let failure { throw failure } }

    package func change(
        _ statement: Statement,
        _ values: [SQLValue],
        rowCount: Int?
    ) throws(StoreFailure) {
        let changed = try run(statement, values)
        guard rowCount == nil || changed == rowCount else {
            failure = .conflict
            throw .conflict
        }
    }

    @discardableResult
    package func run(
        _ statement: Statement,
        _ values: [SQLValue] = []
    ) throws(StoreFailure) -> Int {
        try perform(statement, values) { prepared throws(StoreFailure) in
            while try prepared.step() {}
            // A statement that only reads does not reset the count of the one before.
            return prepared.isReadOnly ? 0 : Int(sqlite3_changes64(handle))
        }
    }

    package func rows(
        _ statement: Statement,
        _ values: [SQLValue] = []
    ) throws(StoreFailure) -> [Row] {
        try perform(statement, values) { prepared throws(StoreFailure) in
            var rows: [Row] = []
            while try prepared.step() {
                let row = try prepared.row()
                try statement.check(row, against: values)
                rows.append(row)
            }
            return rows
        }
    }

    /// The only value of the only row.
    func value(_ statement: Statement) throws(StoreFailure) -> SQLValue {
        guard let value = try rows(statement).first?.values.first else { throw .damaged }
        return value
    }

    private func perform<Outcome>(
        _ statement: Statement,
        _ values: [SQLValue],
        _ body: (PreparedStatement) throws(StoreFailure) -> Outcome
    ) throws(StoreFailure) -> Outcome {
        if let failure { throw failure }
        do throws(StoreFailure) {
            let prepared = try prepare(statement)
            defer { prepared.reset() }
            try prepared.bind(values)
            return try body(prepared)
        } catch {
            failure = error
            throw error
        }
    }

    private func prepare(_ statement: Statement) throws(StoreFailure) -> PreparedStatement {
        if let known = prepared[ObjectIdentifier(statement)] { return known }
        let new = try PreparedStatement(statement, on: handle)
        prepared[ObjectIdentifier(statement)] = new
        return new
    }
}

/// Each byte of a path that could have a meaning in a URI is encoded (RFC 3986, section 2.1).
private func uriEncoded(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
        let character = Character(UnicodeScalar(byte))
        let isPlain = byte < 0x80 && (character.isLetter || character.isNumber)
        if isPlain || character == "/" {
            text.append(character)
        } else {
            text += byte < 16 ? "%0" : "%"
            text += String(byte, radix: 16)
        }
    }
}
