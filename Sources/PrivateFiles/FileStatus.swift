import Glibc

/// The type, owner and permissions of a file or folder.
package struct FileStatus {
    private let status: stat

    package init(of file: borrowing FileDescriptor) throws(FileFailure) {
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw .last() }
        self.status = status
    }

    /// Does not follow a symbolic link at the end of the path; nil if nothing has this name.
    package init?(at path: String) throws(FileFailure) {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            guard errno == ENOENT else { throw .last() }
            return nil
        }
        self.status = status
    }

    /// The same for a name in a folder.
    init?(of name: String, in folder: borrowing FileDescriptor) throws(FileFailure) {
        var status = stat()
        guard fstatat(folder.number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw .last() }
            return nil
        }
        self.status = status
    }

    package enum Kind: Sendable {
        case file, folder

        fileprivate var mode: mode_t { self == .file ? S_IFREG : S_IFDIR }
        fileprivate var permissions: mode_t { self == .file ? S_IRUSR | S_IWUSR : S_IRWXU }
    }

    /// Identifies a file as long as it exists, whatever its name.
    package struct Identity: Equatable, Sendable {
        fileprivate let device: dev_t
        fileprivate let node: ino_t
    }

    var owner: uid_t { status.st_uid }
    package var byteCount: Int { Int(status.st_size) }
    package var identity: Identity { Identity(device: status.st_dev, node: status.st_ino) }

    /// Refuses a file or folder that other users could read or change.
    package func check(_ kind: Kind) throws(FileFailure) {
        if status.st_mode & S_IFMT == S_IFLNK { throw .unsafe(.symbolicLink) }
        guard status.st_mode & S_IFMT == kind.mode else { throw .unsafe(.notRegular) }
        guard status.st_uid == geteuid() else { throw .unsafe(.foreignOwner) }
        guard status.st_mode & ~S_IFMT & ~kind.permissions == 0 else {
            throw .unsafe(.openToOthers)
        }
        guard kind == .folder || status.st_nlink == 1 else { throw .unsafe(.hardLinked) }
    }

    /// Refuses a file that its owner may not read and write: root could open it all the same.
    package func checkOwnerMayWrite() throws(FileFailure) {
        guard status.st_mode & (S_IRUSR | S_IWUSR) == S_IRUSR | S_IWUSR else { throw .readOnly }
    }

    /// Refuses a file that other users could change, but not one that root owns or others may read.
    package func checkOnlyTrustedUsersMayWrite() throws(FileFailure) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unsafe(.notRegular) }
        guard isClosedToOtherWriters else { throw .unsafe(.openToOthers) }
    }

    init(followingLinkAt path: String) throws(FileFailure) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last() }
        self.status = status
    }

    fileprivate var isClosedToOtherWriters: Bool {
        let isOwnedByTrustedUser = status.st_uid == geteuid() || status.st_uid == 0
        return isOwnedByTrustedUser && status.st_mode & (S_IWGRP | S_IWOTH) == 0
    }
}

/// The folder in which a file or folder has its name.
package struct ParentFolder: Sendable {
    /// Ends with a slash.
    package let path: String

    package init(of path: String) {
        let end = path.lastIndex(of: "/")
        self.path = end.map { String(path[...$0]) } ?? "./"
    }

    /// Refuses a folder in which other users could replace, rename or add files.
    ///
    /// The sticky bit does not help: other users could still add a file with a name that is used
    /// later, such as a database log.
    package func check() throws(FileFailure) {
        guard try FileStatus(followingLinkAt: path).isClosedToOtherWriters else {
            throw .unsafe(.folderOpenToOthers)
        }
    }

    package func open() throws(FileFailure) -> FileDescriptor {
        try FileDescriptor(Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    }

    /// Makes a new or changed name in the folder durable.
    package func synchronise() throws(FileFailure) {
        try open().synchronise()
    }
}
