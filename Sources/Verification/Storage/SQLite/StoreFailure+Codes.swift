import CSQLite
import Glibc

extension StoreFailure {
    /// Translates an extended result code; `systemError` is what the system said with it.
    init(sqliteCode code: Int32, systemError: Int32) {
        switch code {
        case COUNTERSIGN_SQLITE_UNIQUE, COUNTERSIGN_SQLITE_PRIMARY_KEY, COUNTERSIGN_SQLITE_ROWID,
            COUNTERSIGN_SQLITE_FOREIGN_KEY:
            self = .conflict
        default:
            self.init(primaryCode: code & 0xff, systemError: systemError)
        }
    }

    private init(primaryCode: Int32, systemError: Int32) {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED: self = .busy
        case SQLITE_READONLY: self = .readOnly
        case SQLITE_FULL: self = .full
        case SQLITE_CORRUPT, SQLITE_NOTADB: self = .damaged
        case SQLITE_CANTOPEN: self.init(systemError: systemError)
        case SQLITE_IOERR, SQLITE_NOMEM, SQLITE_PERM, SQLITE_AUTH, SQLITE_PROTOCOL,
            SQLITE_INTERRUPT:
            self = .unavailable
        default: self = .misuse
        }
    }

    init(systemError: Int32) {
        switch systemError {
        case ENOENT, ENOTDIR: self = .missing
        case EEXIST: self = .exists
        case ELOOP: self = .unsafeFile(.symbolicLink)
        case EACCES, EPERM, EROFS: self = .readOnly
        case ENOSPC, EDQUOT, EFBIG: self = .full
        default: self = .unavailable
        }
    }
}
