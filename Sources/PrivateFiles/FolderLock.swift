import Glibc

/// A lock that one operation at a time holds, over all processes.
///
/// It ends with the value, and therefore also when the process is killed.
package struct FolderLock: ~Copyable, Sendable {
    private let descriptor: FileDescriptor

    fileprivate init(_ descriptor: consuming FileDescriptor) {
        self.descriptor = descriptor
    }

    deinit {
        descriptor.unlock()
    }

    /// Holds the lock until this call.
    package consuming func end() {}

    /// Work that only one process may do at a time; the raw value is the name of the lock file.
    package enum Purpose: String, Sendable {
        /// For the duration of one write.
        case writing = "lock"
        /// For a change that the verifier must confirm, from the first write to the last.
        case changing = "change"
    }
}

extension PrivateFolder {
    /// How long an operation waits for another one.
    package static let timeout = Duration.seconds(10)
    static let pauseMicroseconds: useconds_t = 20_000

    /// Waits until no other operation writes.
    package func locked(
        waiting timeout: Duration = timeout
    ) async throws(FileFailure) -> LockedFolder {
        let lock = try await lock(.writing, waiting: timeout)
        return LockedFolder(try makeFolder(), lock: lock, observer: observer)
    }

    /// The same, on a thread that may block.
    package func lockedWhileBlocking() throws(FileFailure) -> LockedFolder {
        let end = ContinuousClock.now + Self.timeout
        while true {
            if let lock = try lockAtOnce(.writing) {
                return LockedFolder(try makeFolder(), lock: lock, observer: observer)
            }
            guard ContinuousClock.now < end else { throw .locked }
            usleep(Self.pauseMicroseconds)
        }
    }

    /// Waits for the lock, at most for `timeout`.
    package func lock(
        _ purpose: FolderLock.Purpose,
        waiting timeout: Duration = timeout
    ) async throws(FileFailure) -> FolderLock {
        let end = ContinuousClock.now + timeout
        while true {
            if let lock = try lockAtOnce(purpose) { return lock }
            guard ContinuousClock.now < end else { throw .locked }
            // A task that is cancelled while it waits does not get the lock.
            do {
                try await Task.sleep(for: .microseconds(Self.pauseMicroseconds))
            } catch {
                throw .cancelled
            }
        }
    }

    /// Returns nil if another operation holds the lock.
    package func lockAtOnce(_ purpose: FolderLock.Purpose) throws(FileFailure) -> FolderLock? {
        let folder = try makeFolder()
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = try FileDescriptor(
            openat(folder.number, purpose.rawValue, flags, S_IRUSR | S_IWUSR)
        )
        try file.check(.file)
        return try file.tryLock(.exclusive) ? FolderLock(file) : nil
    }
}
