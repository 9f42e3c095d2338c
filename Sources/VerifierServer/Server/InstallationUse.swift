import Glibc
import Sealing

/// A lock that a process holds while it uses the store and the journal of its configuration.
///
/// Any number of processes may share it; a restore needs it alone. A verifier that went on writing
/// into the replaced file would accept decisions that are lost. The lock is on the key that signs
/// the journal, because that file stays in place while the store is replaced.
package final class InstallationUse: Sendable {
    private let descriptor: Int32

    /// Throws `.restoring` while a restore has the lock.
    package convenience init(keyFile path: String) throws(VerifierServer.Failure) {
        guard let descriptor = try Self.locked(path, LOCK_SH) else {
            throw VerifierServer.Failure(.restoring)
        }
        self.init(descriptor)
    }

    /// Nil if another process has the lock.
    package convenience init?(aloneWithKeyFile path: String) throws(VerifierServer.Failure) {
        guard let descriptor = try Self.locked(path, LOCK_EX) else { return nil }
        self.init(descriptor)
    }

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    private static func locked(
        _ path: String,
        _ kind: Int32
    ) throws(VerifierServer.Failure) -> Int32? {
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            throw VerifierServer.Failure(.unreadableFile(path: path, errno))
        }
        guard flock(descriptor, kind | LOCK_NB) != 0 else { return descriptor }
        let number = errno
        close(descriptor)
        if number == EWOULDBLOCK { return nil }
        throw VerifierServer.Failure(.unreadableFile(path: path, number))
    }

    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
