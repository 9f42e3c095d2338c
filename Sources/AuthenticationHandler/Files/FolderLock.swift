import Glibc
import TransactionApproval

/// What only one at a time holds, in this process and in all others.
///
/// It ends with the value, and so with the process, however that ends.
struct FolderLock: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    fileprivate init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    deinit {
        // Not left to closing: a program that is being started has the descriptor for a moment, too.
        flock(descriptor.number, LOCK_UN)
    }

    /// Lets the next one in, and not earlier.
    consuming func end() {}

    /// What may happen once at a time.
    enum Purpose: String, Sendable {
        /// For the moment of a write.
        case writing = "lock"
        /// The lock for changes that need the verifier: one at a time, over all processes.
        case changing = "change"
    }
}

extension PrivateFolder {
    /// How long an operation waits for another one.
    static let timeout = Duration.seconds(10)
    private static let pause = Duration.milliseconds(20)

    /// Waits until nobody else writes.
    func locked(waiting timeout: Duration = timeout) async throws(FileFailure) -> LockedFolder {
        let lock = try await lock(.writing, waiting: timeout)
        return LockedFolder(try makeFolder(), lock: lock, witness: witness)
    }

    /// The same, on a thread that may block.
    func lockedWhileBlocking() throws(FileFailure) -> LockedFolder {
        let end = ContinuousClock.now + Self.timeout
        while true {
            if let lock = try lockAtOnce(.writing) {
                return LockedFolder(try makeFolder(), lock: lock, witness: witness)
            }
            guard ContinuousClock.now < end else { throw .locked }
            usleep(useconds_t(Self.pause.wholeMilliseconds * 1000))
        }
    }

    /// Waits for whoever holds the lock.
    func lock(
        _ purpose: FolderLock.Purpose,
        waiting timeout: Duration = timeout
    ) async throws(FileFailure) -> FolderLock {
        let end = ContinuousClock.now + timeout
        while true {
            if let lock = try lockAtOnce(purpose) { return lock }
            guard ContinuousClock.now < end else { throw .locked }
            // Cancelled while it waits: it does not get the lock.
            do { try await Task.sleep(for: Self.pause) } catch { throw .locked }
        }
    }

    /// Nil while somebody else holds the lock.
    func lockAtOnce(_ purpose: FolderLock.Purpose) throws(FileFailure) -> FolderLock? {
        let folder = try makeFolder()
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = try FileDescriptor(
            openat(folder.number, purpose.rawValue, flags, S_IRUSR | S_IWUSR)
        )
        try file.check(.file)
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw .last() }
            return nil
        }
        return FolderLock(file)
    }
}
