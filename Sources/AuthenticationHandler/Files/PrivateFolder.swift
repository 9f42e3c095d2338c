import Glibc

/// A folder (0700) of small files (0600), which are read and replaced whole.
///
/// A file is either as it was or as it is to be, whenever power fails: the new one is on the disk
/// under another name before it takes the name, and the name is on the disk before anybody is told.
/// What only one process at a time may do is done on a `LockedFolder`.
struct PrivateFolder: Sendable {
    /// A moment at which a crash leaves something else on the disk than the moment before.
    enum WritePoint: Sendable {
        case created, written, synchronised, renamed, durable, removed
    }

    private let path: String
    let witness: @Sendable (WritePoint) throws(FileFailure) -> Void

    /// `witness` is told of each step of a change, and what it throws ends the change there.
    init(
        _ path: String,
        witness: @escaping @Sendable (WritePoint) throws(FileFailure) -> Void = { _ in }
    ) {
        // With a slash at its end a name that is a symbolic link would be followed.
        self.path = String(path.reversed().drop { $0 == "/" }.reversed())
        self.witness = witness
    }

    /// Nil where there is no such folder.
    func openFolder() throws(FileFailure) -> FileDescriptor? {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .system(EINVAL) }
        let number = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if number < 0, errno == ENOENT { return nil }
        let folder = try FileDescriptor(number)
        try folder.check(.folder)
        try checkParent()
        return folder
    }

    /// Makes the folder where there is none; its parent must be there.
    func makeFolder() throws(FileFailure) -> FileDescriptor {
        if let folder = try openFolder() { return folder }
        guard mkdir(path, S_IRWXU) == 0 || errno == EEXIST else { throw .last() }
        guard let folder = try openFolder() else { throw .system(ENOENT) }
        try FileDescriptor(open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)).synchronise()
        return folder
    }

    /// Who may rename in the parent folder can put another folder in the place of this one.
    private func checkParent() throws(FileFailure) {
        var status = stat()
        guard stat(parent, &status) == 0 else { throw .last() }
        let isOurs = status.st_uid == geteuid() || status.st_uid == 0
        let isClosed = status.st_mode & (S_IWGRP | S_IWOTH) == 0 || status.st_mode & S_ISVTX != 0
        guard isOurs, isClosed else { throw .unsafe(.folderOpenToOthers) }
    }

    private var parent: String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}

// MARK: Reading, for which no lock is needed

extension PrivateFolder {
    static let unfinished = ".incomplete"

    /// The names of all files but those of unfinished changes and of locks, in order.
    func names() throws(FileFailure) -> [String] {
        guard let folder = try openFolder() else { return [] }
        // A descriptor of its own, since the stream closes it.
        guard let stream = fdopendir(dup(folder.number)) else { throw .last() }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            names.append(name)
        }
        return names.filter {
            ![".", ".."].contains($0) && FolderLock.Purpose(rawValue: $0) == nil
        }
        .filter { !$0.hasSuffix(Self.unfinished) }.sorted()
    }

    /// Nil where there is no such file.
    func contents(of name: String, atMost limit: Int) throws(FileFailure) -> [UInt8]? {
        guard let folder = try openFolder() else { return nil }
        // Whoever opens a pipe by mistake must not wait for its other end.
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let number = openat(folder.number, name, flags)
        if number < 0, errno == ENOENT { return nil }
        let file = try FileDescriptor(number)
        try file.check(.file)
        return try file.contents(atMost: limit)
    }
}
