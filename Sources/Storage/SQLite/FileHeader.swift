import CSQLite

/// The header of a database file (SQLite's file format, section 1.3).
struct FileHeader {
    /// "csig", in the four bytes that SQLite reserves for applications.
    static let applicationID = 0x6373_6967

    let version: Int
    /// Whether commits go to a write-ahead log.
    let isLogged: Bool
    let pageByteCount: Int

    private static let byteCount = 100

    /// Reads only the file: a statement would look for a log and apply it.
    ///
    /// It reads through SQLite: closing a descriptor of our own would end the locks that this process
    /// holds on the file.
    init(ofFileAt path: String) throws(StoreFailure) {
        guard SQLiteConnection.isLibraryStarted else { throw .unavailable }
        var connection: OpaquePointer?
        let flags =
            SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
            | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &connection, flags, nil)
        defer { sqlite3_close(connection) }
        guard code == SQLITE_OK else { throw StoreFailure(sqliteCode: code, on: connection) }
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        guard let read = file?.pointee.pMethods?.pointee.xRead else { throw .unavailable }
        switch read(file, &bytes, Int32(bytes.count), 0) {
        case SQLITE_OK: try self.init(bytes)
        case COUNTERSIGN_SQLITE_SHORT_READ: throw .foreign
        case let code: throw StoreFailure(sqliteCode: code, on: connection)
        }
    }

    /// Rejects a file that this program did not make.
    private init(_ bytes: [UInt8]) throws(StoreFailure) {
        guard
            bytes.starts(with: "SQLite format 3\0".utf8),
            Self.integer(at: 68, of: bytes) == Self.applicationID
        else { throw .foreign }
        version = Self.integer(at: 60, of: bytes)
        // Big-endian; 1 means 65536. SQLite rejects a value that is not a power of two.
        pageByteCount = max(Int(bytes[16]) << 8 | Int(bytes[17]) << 16, 512)
        isLogged = bytes[18] == 2
    }

    private static func integer(at offset: Int, of bytes: [UInt8]) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
