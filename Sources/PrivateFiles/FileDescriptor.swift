import Glibc

/// Owns an open file or folder, and closes it exactly once.
package struct FileDescriptor: ~Copyable, Sendable {
    package let number: CInt

    /// Takes over the result of a system call that opens a file.
    package init(_ number: CInt) throws(FileFailure) {
        guard number >= 0 else { throw .last() }
        self.number = number
    }

    /// Opens a file for reading; a pipe does not wait for its other end.
    package init(reading path: String) throws(FileFailure) {
        try self.init(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
    }

    deinit {
        Glibc.close(number)
    }

    package consuming func close() {}

    /// Gives the descriptor to an owner that closes it itself.
    package consuming func release() -> CInt {
        let number = number
        discard self
        return number
    }
}

extension FileDescriptor {
    /// Refuses a file or folder that other users could read or change.
    ///
    /// It checks the open file: a check by name could be of another file.
    package borrowing func check(_ kind: FileStatus.Kind) throws(FileFailure) {
        try FileStatus(of: self).check(kind)
    }

    package borrowing func byteCount() throws(FileFailure) -> Int {
        try FileStatus(of: self).byteCount
    }

    /// Returns when everything written is on the disk.
    package borrowing func synchronise() throws(FileFailure) {
        guard fsync(number) == 0 else { throw .last() }
    }

    /// Returns when the written bytes are on the disk; the times of the file may not be.
    package borrowing func synchroniseData() throws(FileFailure) {
        guard fdatasync(number) == 0 else { throw .last() }
    }

    package borrowing func truncate(to byteCount: Int) throws(FileFailure) {
        guard ftruncate(number, off_t(byteCount)) == 0 else { throw .last() }
    }
}

// MARK: Reading and writing

extension FileDescriptor {
    /// Reads at most `count` bytes from `offset`; returns none at the end of the file.
    package borrowing func bytes(
        at offset: Int,
        atMost count: Int
    ) throws(FileFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let number = number
        let read = try Self.uninterrupted { pread(number, &bytes, count, off_t(offset)) }
        // In place: the caller may have to wipe the only copy.
        bytes.removeLast(count - read)
        return bytes
    }

    /// Reads a whole file of at most `limit` bytes.
    package borrowing func contents(atMost limit: Int) throws(FileFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        // After a failure the caller cannot wipe them.
        var isWhole = false
        defer { if !isWhole { bytes.wipe() } }
        let number = number
        while count < bytes.count {
            let read = try Self.uninterrupted {
                bytes.withUnsafeMutableBytes {
                    let start = $0.baseAddress?.advanced(by: count)
                    return pread(number, start, $0.count - count, off_t(count))
                }
            }
            guard read > 0 else { break }
            count += read
        }
        guard count <= limit else { throw .tooLarge }
        isWhole = true
        // In place: the caller may have to wipe the only copy.
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Reads on to the end of a file, a pipe or a terminal.
    package borrowing func rest(atMost limit: Int) throws(FileFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 64 << 10)
        let number = number
        while true {
            let count = try Self.uninterrupted { read(number, &block, block.count) }
            if count == 0 { return bytes }
            bytes += block.prefix(count)
            guard bytes.count <= limit else { throw .tooLarge }
        }
    }

    /// Reads on until the buffer is full or the input ends; returns the number of bytes.
    package borrowing func fill(
        _ buffer: UnsafeMutableBufferPointer<UInt8>
    ) throws(FileFailure) -> Int {
        let number = number
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
            let read = try Self.uninterrupted { Glibc.read(number, rest.baseAddress, rest.count) }
            guard read > 0 else { break }
            count += read
        }
        return count
    }

    /// Writes all bytes, in as many calls as the system needs.
    package borrowing func write(_ bytes: Span<UInt8>, at offset: Int) throws(FileFailure) {
        let number = number
        try bytes.withUnsafeBytes { bytes throws(FileFailure) in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = try Self.uninterrupted {
                    pwrite(number, rest.baseAddress, rest.count, off_t(offset + written))
                }
                guard count > 0 else { throw .errorNumber(EIO) }
                written += count
            }
        }
    }

    /// Repeats a system call that a signal interrupted; returns its result.
    package static func uninterrupted<Count: SignedInteger>(
        _ call: () -> Count
    ) throws(FileFailure) -> Count {
        while true {
            let count = call()
            guard count < 0 else { return count }
            guard errno == EINTR else { throw .last() }
        }
    }
}

// MARK: Folders

extension FileDescriptor {
    /// The names of all files in a folder.
    package consuming func names() throws(FileFailure) -> [String] {
        guard let stream = fdopendir(number) else { throw .last() }
        // The stream closes the descriptor.
        _ = release()
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            // readdir(3) returns nil both at the end and after a failure.
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .last() }
                return names
            }
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if ![".", ".."].contains(name) { names.append(name) }
        }
    }
}

// MARK: Locks

extension FileDescriptor {
    package enum LockMode: Sendable {
        case shared, exclusive

        fileprivate var operation: CInt { self == .shared ? LOCK_SH : LOCK_EX }
    }

    /// Returns false if another open file holds a conflicting lock.
    package borrowing func tryLock(_ mode: LockMode) throws(FileFailure) -> Bool {
        if flock(number, mode.operation | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK || errno == EINTR else { throw .last() }
        return false
    }

    /// Waits for the lock of a folder, on a thread that may block; an exclusive one can become shared.
    ///
    /// Everyone who can read a folder can lock it, so the wait has an end.
    package borrowing func lock(
        _ mode: LockMode,
        waiting timeout: Duration = PrivateFolder.timeout
    ) throws(FileFailure) {
        let end = ContinuousClock.now + timeout
        while try !tryLock(mode) {
            guard ContinuousClock.now < end else { throw .locked }
            usleep(PrivateFolder.pauseMicroseconds)
        }
    }

    /// Ends a lock now: a child process that is starting may still have the descriptor.
    package borrowing func unlock() {
        flock(number, LOCK_UN)
    }

    /// Waits for an exclusive lock of a private file, and holds it while `body` runs.
    package borrowing func locked<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(FileFailure) -> Swift.Result<Result, Failure> {
        let number = number
        _ = try Self.uninterrupted { flock(number, LOCK_EX) }
        defer { unlock() }
        do throws(Failure) {
            return .success(try body())
        } catch {
            return .failure(error)
        }
    }
}
