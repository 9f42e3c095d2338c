import Glibc
import PrivateFiles
import Sealing

/// A lock that a process holds while it uses the store and the journal of its configuration.
///
/// Any number of processes may share it; a restore needs it alone. A verifier that went on writing
/// into the replaced file would accept decisions that are lost. The lock is on the key that signs
/// the journal, because that file stays in place while the store is replaced.
package final class InstallationLock: Sendable {
    private let descriptor: FileDescriptor

    /// Throws `.restoring` while a restore has the lock.
    package convenience init(keyFile path: String) throws(VerifierServer.Failure) {
        guard let descriptor = try Self.locked(path, .shared) else {
            throw VerifierServer.Failure(.restoring)
        }
        self.init(descriptor)
    }

    /// Nil if another process has the lock.
    package convenience init?(aloneWithKeyFile path: String) throws(VerifierServer.Failure) {
        guard let descriptor = try Self.locked(path, .exclusive) else { return nil }
        self.init(descriptor)
    }

    private init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    private static func locked(
        _ path: String,
        _ mode: FileDescriptor.LockMode
    ) throws(VerifierServer.Failure) -> FileDescriptor? {
        do throws(FileFailure) {
            let flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC
            let descriptor = try FileDescriptor(open(path, flags))
            guard try descriptor.tryLock(mode) else { return nil }
            return descriptor
        } catch {
            throw VerifierServer.Failure(.keyFile(.file(error), path: path))
        }
    }

    deinit {
        descriptor.unlock()
    }
}
