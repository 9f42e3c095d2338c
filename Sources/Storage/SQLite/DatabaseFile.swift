import FailureTranslation
import Glibc
import PrivateFiles

/// An existing or future database file, in a folder that other users cannot write to.
struct DatabaseFile {
    /// Starts with the real path of the folder: SQLite rejects every symbolic link in a path.
    let path: String
    private let folder: String

    private static let logSuffix = "-wal"
    static let companionSuffixes = [logSuffix, "-shm", "-journal"]

    init(_ path: String) throws(StoreFailure) {
        let parent = ParentFolder(of: path)
        let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
        guard !name.isEmpty, !path.utf8.contains(0) else { throw .missing }
        guard let resolved = realpath(parent.path, nil) else { throw StoreFailure(.last()) }
        defer { free(resolved) }
        folder = String(cString: resolved)
        self.path = folder + "/" + name
        try translating(ParentFolder(of: self.path).check(), to: StoreFailure.init(_:))
    }

    /// Whether the write-ahead log may contain commits that are not in the file.
    var hasLog: Bool {
        get throws(StoreFailure) { try byteCount(of: path + Self.logSuffix) > 0 }
    }

    /// Identifies the current file; nil if there is none.
    var identity: FileStatus.Identity? {
        get throws(StoreFailure) { try status(of: path)?.identity }
    }

    /// Fails if another file has replaced this one.
    func check(isStill identity: FileStatus.Identity?) throws(StoreFailure) {
        guard try self.identity == identity else { throw .rolledBack }
    }

    var byteCount: Int {
        get throws(StoreFailure) { try byteCount(of: path) }
    }

    /// Rejects a file that other users could read, write or replace.
    ///
    /// It does not open the file: closing a descriptor would end the locks of this process on it.
    func checkPresent() throws(StoreFailure) {
        guard let status = try status(of: path) else { throw .missing }
        try check(status)
        for suffix in Self.companionSuffixes {
            if let status = try self.status(of: path + suffix) { try check(status) }
        }
        guard access(folder, W_OK) == 0 else { throw StoreFailure(.last()) }
    }

    /// Fails if the file or a log of it exists: SQLite would apply the log to the new file.
    func checkAbsent() throws(StoreFailure) {
        for suffix in [""] + Self.companionSuffixes {
            guard try status(of: path + suffix) == nil else { throw .exists }
        }
    }

    private func check(_ status: FileStatus) throws(StoreFailure) {
        try translating(status.check(.file), to: StoreFailure.init(_:))
        try translating(status.checkOwnerMayWrite(), to: StoreFailure.init(_:))
    }

    private func byteCount(of path: String) throws(StoreFailure) -> Int {
        try status(of: path)?.byteCount ?? 0
    }

    private func status(of path: String) throws(StoreFailure) -> FileStatus? {
        try translating(FileStatus(at: path), to: StoreFailure.init(_:))
    }
}

extension DatabaseFile {
    /// Creates the file; after a crash, it is complete or does not exist.
    func make(_ write: (String) throws(StoreFailure) -> Void) throws(StoreFailure) {
        try checkAbsent()
        let new = try translating(IncompleteFile(for: path), to: StoreFailure.init(_:))
        do throws(StoreFailure) {
            try write(new.temporaryPath)
            try checkAbsent()
            try translating(new.finish(), to: StoreFailure.init(_:))
        } catch {
            Self.removeCompanions(of: new.temporaryPath)
            throw error
        }
    }

    static func removeCompanions(of path: String) {
        for suffix in companionSuffixes { unlink(path + suffix) }
    }
}
