import Glibc
package import PrivateFiles

/// A lock that a process holds while it uses the files of its configuration.
///
/// Any number of processes may share it; a restore needs it alone. A server that went on writing
/// into a replaced store would accept decisions that are lost.
package final class InstallationLock: Sendable {
    private let descriptor: FileDescriptor

    /// Nil while another process, such as a restore, has the lock alone.
    package convenience init?(sharing file: LockFile) throws(FileFailure) {
        guard let descriptor = try file.locked(.shared) else { return nil }
        self.init(descriptor)
    }

    /// Nil if another process has the lock.
    package convenience init?(aloneWith file: LockFile) throws(FileFailure) {
        guard let descriptor = try file.locked(.exclusive) else { return nil }
        self.init(descriptor)
    }

    private init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    deinit {
        descriptor.unlock()
    }
}

/// A file that stays in place while the store is replaced.
package struct LockFile: Sendable {
    package let path: String
    /// The file is created if it does not exist.
    package let isCreated: Bool

    package init(path: String, isCreated: Bool) {
        self.path = path
        self.isCreated = isCreated
    }

    fileprivate func locked(
        _ mode: FileDescriptor.LockMode
    ) throws(FileFailure) -> FileDescriptor? {
        let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
        let descriptor = try FileDescriptor(
            open(path, isCreated ? flags | O_CREAT : flags, S_IRUSR | S_IWUSR)
        )
        guard try descriptor.tryLock(mode) else { return nil }
        return descriptor
    }
}
