import CommandLineTool
import Glibc

/// Says, for as long as it lives, that this process changes the store and the journal of its
/// configuration; verifiers of other configurations, on one PostgreSQL server, are not seen.
///
/// Any number of them may, and none while the store is restored: a verifier that went on in the file
/// that was there before would say yes to what nobody finds again.
final class InstallationUse: Sendable {
    private let descriptor: Int32

    /// Nil where somebody else is at it.
    ///
    /// What is locked is the key that the journal is signed by: unlike the store it stays where it is.
    fileprivate init?(ofKeyAt path: String, alone: Bool) throws(CommandFailure) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure(.noInput, "\(path) cannot be opened: \(reason)")
        }
        guard flock(descriptor, (alone ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else {
            let isTaken = errno == EWOULDBLOCK
            // `deinit` closes the descriptor, also after a failed initializer.
            if isTaken { return nil }
            throw CommandFailure(.inputOutput, "\(path) cannot be locked")
        }
    }

    deinit {
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}

extension Installation {
    func inUse() throws(CommandFailure) -> InstallationUse {
        guard let use = try use(alone: false) else {
            throw CommandFailure(
                .tryLater,
                "the store is being restored",
                hint: "wait for countersignd restore to end"
            )
        }
        return use
    }

    func alone() throws(CommandFailure) -> InstallationUse {
        guard let use = try use(alone: true) else {
            throw CommandFailure(
                .tryLater,
                "a verifier runs, or a command that changes the store",
                hint: "stop every verifier of this store, and begin again with the backup"
            )
        }
        return use
    }

    private func use(alone: Bool) throws(CommandFailure) -> InstallationUse? {
        try InstallationUse(ofKeyAt: configuration.checkpointKey, alone: alone)
    }
}
