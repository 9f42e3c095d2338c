import Glibc

/// An open file or folder, closed with its last use.
struct FileDescriptor: ~Copyable, Sendable {
    let number: CInt

    /// Takes what a call that opens gave.
    init(_ number: CInt) throws(FileFailure) {
        guard number >= 0 else { throw .last() }
        self.number = number
    }

    deinit {
        close(number)
    }

    /// Refuses what is not ours alone; what is looked at is what was opened.
    borrowing func check(_ kind: Kind) throws(FileFailure) {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw .last() }
        guard status.st_mode & S_IFMT == kind.mode else { throw .unsafe(.notRegular) }
        guard status.st_uid == geteuid() else { throw .unsafe(.foreignOwner) }
        guard status.st_mode & ~S_IFMT & ~kind.permissions == 0 else {
            throw .unsafe(.openToOthers)
        }
        guard kind == .folder || status.st_nlink == 1 else { throw .unsafe(.hardLinked) }
    }

    enum Kind {
        case file, folder

        fileprivate var mode: mode_t { self == .file ? S_IFREG : S_IFDIR }

        var permissions: mode_t { self == .file ? S_IRUSR | S_IWUSR : S_IRWXU }
    }

    /// Returns when what was written is on the disk.
    borrowing func synchronise() throws(FileFailure) {
        guard fsync(number) == 0 else { throw .last() }
    }

    /// All that is in a file of at most `limit` bytes.
    borrowing func contents(atMost limit: Int) throws(FileFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit + 1)
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { [number] in
                pread(number, $0.baseAddress?.advanced(by: count), $0.count - count, off_t(count))
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw .last() }
            guard read > 0 else { break }
            count += read
        }
        guard count <= limit else { throw .tooLarge }
        // No copy is made, which whoever wipes what they got could not wipe.
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    /// Writes all of it, in as many parts as the system takes.
    borrowing func write(_ bytes: Span<UInt8>) throws(FileFailure) {
        let number = number
        try bytes.withUnsafeBytes { bytes throws(FileFailure) in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = Glibc.write(number, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw .last() }
                written += count
            }
        }
    }
}
