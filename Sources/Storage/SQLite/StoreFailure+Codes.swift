import CSQLite
import Glibc
import PrivateFiles

extension StoreFailure {
    /// Translates an extended result code; a connection also has the system's error number.
    ///
    /// SQLite makes no connection only if there is no memory.
    init(sqliteCode code: Int32, on connection: OpaquePointer?) {
        let systemError = connection.map(sqlite3_system_errno) ?? ENOMEM
        self.init(Self.reason(code, systemError), .sqlite(code))
    }

    /// Whether the transaction may be committed after this failure of its commit.
    var leavesCommitUnknown: Bool {
        guard case .sqlite(let code)? = cause, code & 0xff == SQLITE_IOERR else {
            return self == .unavailable
        }
        return true
    }

    private static func reason(_ code: Int32, _ systemError: Int32) -> Reason {
        switch code {
        case COUNTERSIGN_SQLITE_UNIQUE, COUNTERSIGN_SQLITE_PRIMARY_KEY, COUNTERSIGN_SQLITE_ROWID,
            COUNTERSIGN_SQLITE_FOREIGN_KEY:
            return .conflict
        default: break
        }
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: return .busy
        case SQLITE_READONLY: return .readOnly
        case SQLITE_FULL: return .full
        // For example, there is no space for the index of the write-ahead log.
        case SQLITE_IOERR where [ENOSPC, EDQUOT].contains(systemError): return .full
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged
        case SQLITE_CANTOPEN: return StoreFailure(FileFailure(errorNumber: systemError)).reason
        case SQLITE_IOERR, SQLITE_NOMEM, SQLITE_PERM, SQLITE_AUTH, SQLITE_PROTOCOL,
            SQLITE_INTERRUPT:
            return .unavailable
        default: return .misuse
        }
    }
}
