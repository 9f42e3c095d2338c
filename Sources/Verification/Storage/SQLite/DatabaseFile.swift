import Glibc

/// A file where a database is or will be, in a folder that nobody else can write to.
struct DatabaseFile {
    /// Begins with the folder's true path: SQLite refuses every symbolic link on its way.
    let path: String
    private let folder: String

    private static let logSuffix = "-wal"
    private static let companionSuffixes = [logSuffix, "-shm", "-journal"]

    init(_ path: String) throws(StoreFailure) {
        let end = path.lastIndex(of: "/")
        let name = end.map { path[path.index(after: $0)...] } ?? path[...]
        let folder = end.map { String(path[...$0]) } ?? "."
        guard !name.isEmpty, !path.utf8.contains(0) else { throw .missing }
        guard let resolved = realpath(folder, nil) else { throw StoreFailure(systemError: errno) }
        defer { free(resolved) }
        self.folder = String(cString: resolved)
        self.path = self.folder + "/" + name
        try checkFolder()
    }

    /// Whether commits may lie in the write-ahead log that are not in the file.
    var hasLog: Bool {
        get throws(StoreFailure) { (try status(of: path + Self.logSuffix)?.st_size ?? 0) > 0 }
    }

    /// Which file it is that is there.
    struct Identity: Equatable {
        fileprivate let device: dev_t
        fileprivate let node: ino_t
    }

    /// Nil where nothing is there.
    var identity: Identity? {
        get throws(StoreFailure) {
            try status(of: path).map { Identity(device: $0.st_dev, node: $0.st_ino) }
        }
    }

    /// Refuses where another file took the place of this one.
    func check(isStill identity: Identity?) throws(StoreFailure) {
        guard try self.identity == identity else { throw .rolledBack }
    }

    var byteCount: Int {
        get throws(StoreFailure) { Int(try status(of: path)?.st_size ?? 0) }
    }

    /// Refuses a file that somebody else may read, write or replace, and whatever is no file.
    func checkPresent() throws(StoreFailure) {
        guard let status = try status(of: path) else { throw .missing }
        try check(status)
        for suffix in Self.companionSuffixes {
            if let status = try self.status(of: path + suffix) { try check(status) }
        }
        guard access(folder, W_OK) == 0 else { throw StoreFailure(systemError: errno) }
    }

    /// Refuses where anything is, even a log alone: SQLite would play it into the new file.
    func checkAbsent() throws(StoreFailure) {
        for suffix in [""] + Self.companionSuffixes {
            guard try status(of: path + suffix) == nil else { throw .exists }
        }
    }

    private func checkFolder() throws(StoreFailure) {
        guard let status = try status(of: folder) else { throw .missing }
        let isOurs = status.st_uid == geteuid() || status.st_uid == 0
        guard isOurs, status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw .unsafeFile(.folderOpenToOthers)
        }
    }

    private func check(_ status: stat) throws(StoreFailure) {
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFLNK: throw .unsafeFile(.symbolicLink)
        default: throw .unsafeFile(.notRegular)
        }
        guard status.st_uid == geteuid() else { throw .unsafeFile(.foreignOwner) }
        guard status.st_mode & (S_IRWXG | S_IRWXO) == 0 else { throw .unsafeFile(.openToOthers) }
        guard status.st_nlink == 1 else { throw .unsafeFile(.hardLinked) }
        // Not left to `open`: root may write to any file.
        guard status.st_mode & (S_IRUSR | S_IWUSR) == S_IRUSR | S_IWUSR else { throw .readOnly }
    }

    private func status(of path: String) throws(StoreFailure) -> stat? {
        var status = stat()
        guard lstat(path, &status) != 0 else { return status }
        guard errno == ENOENT else { throw StoreFailure(systemError: errno) }
        return nil
    }
}

extension DatabaseFile {
    /// Makes the file, which is there once it is whole, or not at all.
    func make(_ write: (String) throws(StoreFailure) -> Void) throws(StoreFailure) {
        try checkAbsent()
        let new = try IncompleteFile(for: path)
        do throws(StoreFailure) {
            try write(new.temporaryPath)
            try checkAbsent()
            try new.finish()
        } catch {
            for suffix in Self.companionSuffixes { unlink(new.temporaryPath + suffix) }
            throw error
        }
    }
}
