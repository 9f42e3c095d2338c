import Glibc
import PrivateFiles
import Sealing

/// A lock that a process holds while it uses the store and the journal of its configuration.
///
/// Any number of processes may share it; a restore needs it alone. A verifier that went on writing
/// into the replaced file would accept decisions that are lost.
package final class InstallationLock: Sendable {
    private let descriptor: FileDescriptor

    /// Throws `.restoring` while a restore has the lock.
    package convenience init(sharing file: LockFile) throws(VerifierServer.Failure) {
        guard let descriptor = try file.locked(.shared) else {
            throw VerifierServer.Failure(.restoring)
        }
        self.init(descriptor)
    }

    /// Nil if another process has the lock.
    package convenience init?(aloneWith file: LockFile) throws(VerifierServer.Failure) {
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
    fileprivate let path: String
    fileprivate let isCreated: Bool

    fileprivate func locked(
        _ mode: FileDescriptor.LockMode
    ) throws(VerifierServer.Failure) -> FileDescriptor? {
        do throws(FileFailure) {
            let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
            let descriptor = try FileDescriptor(
                open(path, isCreated ? flags | O_CREAT : flags, S_IRUSR | S_IWUSR)
            )
            guard try descriptor.tryLock(mode) else { return nil }
            return descriptor
        } catch {
            throw VerifierServer.Failure(.keyFile(.file(error), path: path))
        }
    }
}

extension VerifierServer.Configuration {
    /// The key that signs the journal; if it is in an HSM, an empty file next to the journal.
    package var lockFile: LockFile {
        switch KeyPlace(keys.checkpoint) {
        case .file(let path): LockFile(path: path, isCreated: false)
        case .token: LockFile(path: journal + ".lock", isCreated: true)
        }
    }
}
