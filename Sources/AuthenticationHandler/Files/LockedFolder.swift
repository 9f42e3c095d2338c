import Glibc

/// A folder that nobody else changes for as long as this value lives.
struct LockedFolder: ~Copyable, Sendable {
    private let folder: FileDescriptor
    private let lock: FolderLock
    private let witness: @Sendable (PrivateFolder.WritePoint) throws(FileFailure) -> Void

    init(
        _ folder: consuming FileDescriptor,
        lock: consuming FolderLock,
        witness: @escaping @Sendable (PrivateFolder.WritePoint) throws(FileFailure) -> Void
    ) {
        self.folder = folder
        self.lock = lock
        self.witness = witness
    }

    /// Puts `bytes` in the place of what has the name, and returns when that is durable.
    borrowing func replace(_ name: String, with bytes: Span<UInt8>) throws(FileFailure) {
        let unfinished = name + PrivateFolder.unfinished
        try create(unfinished, holding: bytes)
        guard renameat(folder.number, unfinished, folder.number, name) == 0 else { throw .last() }
        try witness(.renamed)
        try folder.synchronise()
        try witness(.durable)
    }

    /// What a crash left under the unfinished name goes first: nobody else can be writing it.
    private borrowing func create(
        _ name: String,
        holding bytes: Span<UInt8>
    ) throws(FileFailure) {
        guard unlinkat(folder.number, name, 0) == 0 || errno == ENOENT else { throw .last() }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = try FileDescriptor(openat(folder.number, name, flags, S_IRUSR | S_IWUSR))
        try witness(.created)
        try file.write(bytes)
        try witness(.written)
        try file.synchronise()
        try witness(.synchronised)
    }

    /// Returns when nothing has the name any more, after a crash too.
    borrowing func remove(_ name: String) throws(FileFailure) {
        guard unlinkat(folder.number, name, 0) == 0 || errno == ENOENT else { throw .last() }
        try witness(.removed)
        try folder.synchronise()
        try witness(.durable)
    }

    /// Writes zeros over a file before it is removed.
    ///
    /// Where the disk keeps what was there before, as most do now, it helps nothing and costs little.
    borrowing func erase(_ name: String) throws(FileFailure) {
        let number = openat(folder.number, name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if number < 0, errno == ENOENT { return }
        let file = try FileDescriptor(number)
        try file.check(.file)
        var status = stat()
        guard fstat(file.number, &status) == 0 else { throw .last() }
        let zeros = [UInt8](repeating: 0, count: Int(status.st_size))
        try file.write(zeros.span)
        try file.synchronise()
        try remove(name)
    }
}
