import CSQLite

/// What the first bytes of a database file say (SQLite's file format, section 1.3).
struct FileHeader {
    /// "csig", in the four bytes that SQLite leaves to applications.
    static let applicationID = 0x6373_6967

    let version: Int
    /// Whether commits go to a write-ahead log.
    let isLogged: Bool

    let pageByteCount: Int

    private static let byteCount = 100

    /// Reads the file alone: a statement would already look for a log and play it in.
    ///
    /// It goes through SQLite because to close a descriptor of our own would drop the locks that
    /// this process holds on the file.
    init(ofFileAt path: String) throws(StoreFailure) {
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW
        let code = sqlite3_open_v2(path, &connection, flags, nil)
        defer { sqlite3_close(connection) }
        guard code == SQLITE_OK else {
            throw StoreFailure(sqliteCode: code, systemError: sqlite3_system_errno(connection))
        }
        var file: UnsafeMutablePointer<sqlite3_file>?
        sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        var bytes = [UInt8](repeating: 0, count: Self.byteCount)
        guard let read = file?.pointee.pMethods?.pointee.xRead else { throw .unavailable }
        switch read(file, &bytes, Int32(bytes.count), 0) {
        case SQLITE_OK: try self.init(bytes)
        // SQLITE_IOERR_SHORT_READ, but for a device that fails.
        default: throw .foreign
        }
    }

    /// Refuses what is no database of ours.
    private init(_ bytes: [UInt8]) throws(StoreFailure) {
        guard
            bytes.starts(with: "SQLite format 3\0".utf8),
            Self.integer(at: 68, of: bytes) == Self.applicationID
        else { throw .foreign }
        version = Self.integer(at: 60, of: bytes)
        // Big-endian, where 1 stands for 65536; SQLite refuses what is no power of two.
        pageByteCount = max(Int(bytes[16]) << 8 | Int(bytes[17]) << 16, 512)
        isLogged = bytes[18] == 2
    }

    private static func integer(at offset: Int, of bytes: [UInt8]) -> Int {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }
}
