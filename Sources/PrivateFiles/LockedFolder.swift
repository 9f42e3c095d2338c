import Glibc

/// A private folder that no other process or operation changes while this value exists.
package struct LockedFolder: ~Copyable, Sendable {
    private let folder: FileDescriptor
    private let lock: FolderLock
    private let observer: PrivateFolder.Observer

    init(
        _ folder: consuming FileDescriptor,
        lock: consuming FolderLock,
        observer: @escaping PrivateFolder.Observer
    ) {
        self.folder = folder
        self.lock = lock
        self.observer = observer
    }

    /// Creates or replaces a file; returns when the change is durable.
    package borrowing func replace(
        _ name: String,
        with bytes: Span<UInt8>
    ) throws(FileFailure) {
        let temporaryName = name + PrivateFolder.temporarySuffix
        try create(temporaryName, holding: bytes)
        guard renameat(folder.number, temporaryName, folder.number, name) == 0 else {
            throw .last()
        }
        try observer(.renamed)
        try folder.synchronise()
        try observer(.durable)
    }

    /// Removes a temporary file that a crash left: the lock excludes another writer.
    private borrowing func create(
        _ name: String,
        holding bytes: Span<UInt8>
    ) throws(FileFailure) {
        guard unlinkat(folder.number, name, 0) == 0 || errno == ENOENT else { throw .last() }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = try FileDescriptor(openat(folder.number, name, flags, S_IRUSR | S_IWUSR))
        try observer(.created)
        try file.write(bytes, at: 0)
        try observer(.written)
        try file.synchronise()
        try observer(.synchronised)
    }

    /// Removes a file if it exists; returns when the change is durable.
    package borrowing func remove(_ name: String) throws(FileFailure) {
        guard unlinkat(folder.number, name, 0) == 0 || errno == ENOENT else { throw .last() }
        try observer(.removed)
        try folder.synchronise()
        try observer(.durable)
    }

    /// Writes zeros over a file before it is removed.
    ///
    /// The file first gets a temporary name, so no crash leaves zeros under its own name. The next
    /// call erases the temporary file of such a crash. Most disks keep the old contents elsewhere.
    /// Then the zeros do not help, but they cost little.
    package borrowing func erase(_ name: String) throws(FileFailure) {
        // A temporary file of a crash would be replaced, with its contents still on the disk.
        try eraseLeftovers()
        let temporaryName = name + PrivateFolder.temporarySuffix
        guard renameat(folder.number, name, folder.number, temporaryName) == 0 || errno == ENOENT
        else { throw .last() }
        try observer(.renamed)
        try folder.synchronise()
        try eraseLeftovers()
    }

    private borrowing func eraseLeftovers() throws(FileFailure) {
        for name in try names() where name.hasSuffix(PrivateFolder.temporarySuffix) {
            try overwrite(name)
            try remove(name)
        }
    }

    private borrowing func names() throws(FileFailure) -> [String] {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
        return try FileDescriptor(openat(folder.number, ".", flags)).names()
    }

    private borrowing func overwrite(_ name: String) throws(FileFailure) {
        let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = try FileDescriptor(openat(folder.number, name, flags))
        try file.check(.file)
        let zeros = [UInt8](repeating: 0, count: try file.byteCount())
        try file.write(zeros.span, at: 0)
        try file.synchronise()
        try observer(.synchronised)
    }
}
