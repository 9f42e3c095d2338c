import Glibc

/// A folder (0700) of small files (0600), which are read and replaced as a whole.
///
/// After a power failure a file has either its old or its new contents. The new contents are on the
/// disk under a temporary name before the file is renamed. The new name is on the disk before the
/// call returns. Changes go through a `LockedFolder`.
package struct PrivateFolder: Sendable {
    /// The steps of a change between which a crash leaves different files.
    package enum WritePoint: Sendable {
        case created, written, synchronised, renamed, durable, removed
    }

    package typealias Observer = @Sendable (WritePoint) throws(FileFailure) -> Void

    private let path: String
    let observer: Observer

    /// Calls `observer` at each step of a change; an error that it throws ends the change there.
    package init(_ path: String, observer: @escaping Observer = { _ in }) {
        // With a slash at the end, `open` would follow a symbolic link.
        self.path = String(path.reversed().drop { $0 == "/" }.reversed())
        self.observer = observer
    }

    /// Whether it is the other folder, or below it, by the names of the paths.
    package func isIn(_ other: PrivateFolder) -> Bool {
        path == other.path || path.hasPrefix(other.path + "/")
    }

    /// Returns nil if the folder does not exist.
    func openFolder() throws(FileFailure) -> FileDescriptor? {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .errorNumber(EINVAL) }
        let number = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if number < 0, errno == ENOENT { return nil }
        // A file, or a symbolic link that was not followed.
        if number < 0, errno == ENOTDIR { throw .unsafe(.notRegular) }
        let folder = try FileDescriptor(number)
        try folder.check(.folder)
        try parent.check()
        return folder
    }

    /// Creates the folder if it does not exist; its parent must exist.
    func makeFolder() throws(FileFailure) -> FileDescriptor {
        if let folder = try openFolder() { return folder }
        guard mkdir(path, S_IRWXU) == 0 || errno == EEXIST else { throw .last() }
        guard let folder = try openFolder() else { throw .missing }
        try parent.synchronise()
        return folder
    }
}

// MARK: Reading, which needs no lock

extension PrivateFolder {
    static let temporarySuffix = ".incomplete"

    /// The names of all files in order, without locks and temporary files.
    package func names() throws(FileFailure) -> [String] {
        guard let folder = try openFolder() else { return [] }
        return try folder.names().filter {
            FolderLock.Purpose(rawValue: $0) == nil && !$0.hasSuffix(Self.temporarySuffix)
        }
        .sorted()
    }

    /// Other processes do not replace a file so often while one reads it.
    private static let maximumReads = 100

    /// Returns nil if the file does not exist.
    package func contents(
        of name: String,
        atMost limit: Int
    ) throws(FileFailure) -> [UInt8]? {
        guard let folder = try openFolder() else { return nil }
        for _ in 0..<Self.maximumReads {
            guard let file = try folder.openFile(name) else { return nil }
            if let contents = try folder.contents(of: file, named: name, atMost: limit) {
                return contents
            }
        }
        throw .locked
    }
}

// MARK: Failures

extension PrivateFolder {
    /// The folder that holds this one.
    package var parent: ParentFolder { ParentFolder(of: path) }

    /// The folder, or else the file with this name, that other users can access; nil if none is.
    package func openToOthers(_ name: String?) -> (path: String, kind: FileStatus.Kind)? {
        if FileStatus.isOpenToOthers(path, .folder) { return (path, .folder) }
        guard let file = name.map({ "\(path)/\($0)" }), FileStatus.isOpenToOthers(file, .file)
        else {
            return nil
        }
        return (file, .file)
    }
}

extension FileStatus {
    fileprivate static func isOpenToOthers(_ path: String, _ kind: Kind) -> Bool {
        do throws(FileFailure) {
            try FileStatus(at: path)?.check(kind)
            return false
        } catch {
            return error == .unsafe(.openToOthers)
        }
    }
}

extension FileDescriptor {
    /// Opens a private file of this folder; nil if it does not exist.
    package borrowing func openFile(_ name: String) throws(FileFailure) -> FileDescriptor? {
        // Opening a pipe by mistake must not wait for its other end.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = openat(number, name, flags)
        if file < 0, errno == ENOENT { return nil }
        return try FileDescriptor(file)
    }

    /// Reads an open file of this folder; nil if the name no longer leads to it.
    ///
    /// A writer may then be overwriting it with zeros.
    package borrowing func contents(
        of file: borrowing FileDescriptor,
        named name: String,
        atMost limit: Int
    ) throws(FileFailure) -> [UInt8]? {
        var contents: [UInt8] = []
        var failure: FileFailure?
        // A caller that does not get them cannot wipe them.
        var isRead = false
        defer { if !isRead { contents.wipe() } }
        do throws(FileFailure) {
            try file.check(.file)
            contents = try file.contents(atMost: limit)
        } catch {
            failure = error
        }
        guard try isFile(file, named: name) else { return nil }
        if let failure { throw failure }
        isRead = true
        return contents
    }

    private borrowing func isFile(
        _ file: borrowing FileDescriptor,
        named name: String
    ) throws(FileFailure) -> Bool {
        let named = try FileStatus(of: name, in: self)
        return try named?.identity == FileStatus(of: file).identity
    }
}
