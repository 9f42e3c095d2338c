import Glibc

/// An open file of ours that nobody else can read or write, or put another in the place of.
final class PrivateFile: Sendable {
    let descriptor: Int32

    /// Takes over a descriptor, and closes it in the end.
    init(takingOver descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    enum Access {
        case reading, writing

        fileprivate var flags: Int32 {
            switch self {
            // Whoever opens a pipe by mistake must not wait for its other end.
            case .reading: O_RDONLY | O_NONBLOCK
            case .writing: O_RDWR | O_NONBLOCK
            }
        }
    }

    /// Opens a file that is there; what is looked at is what was opened.
    init(_ path: String, for access: Access) throws(StoreFailure) {
        try Self.checkFolder(of: path)
        descriptor = Glibc.open(path, access.flags | O_NOFOLLOW | O_CLOEXEC)
        try Self.check(descriptor)
        try checkStatus()
    }

    /// Makes a new file; what is there already stays.
    init(creating path: String) throws(StoreFailure) {
        try Self.checkFolder(of: path)
        let flags = O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW | O_CLOEXEC
        descriptor = Glibc.open(path, flags, S_IRUSR | S_IWUSR)
        try Self.check(descriptor)
    }

    private func checkStatus() throws(StoreFailure) {
        var status = stat()
        try Self.check(fstat(descriptor, &status))
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unsafeFile(.notRegular) }
        guard status.st_uid == geteuid() else { throw .unsafeFile(.foreignOwner) }
        let permissions = status.st_mode & ~S_IFMT
        guard permissions & ~(S_IRUSR | S_IWUSR) == 0 else { throw .unsafeFile(.openToOthers) }
        guard status.st_nlink == 1 else { throw .unsafeFile(.hardLinked) }
    }

    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    private static func checkFolder(of path: String) throws(StoreFailure) {
        guard !path.utf8.contains(0) else { throw .missing }
        var status = stat()
        try check(stat(folder(of: path), &status))
        let isOurs = status.st_uid == geteuid() || status.st_uid == 0
        guard isOurs, status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw .unsafeFile(.folderOpenToOthers)
        }
    }

    fileprivate static func check(_ status: Int32) throws(StoreFailure) {
        guard status >= 0 else { throw StoreFailure(systemError: errno) }
    }
}

extension PrivateFile {
    var byteCount: Int {
        get throws(StoreFailure) {
            var status = stat()
            try Self.check(fstat(descriptor, &status))
            return Int(status.st_size)
        }
    }

    /// Reads at most `count` bytes from `offset` on; none at the end.
    func bytes(at offset: Int, atMost count: Int) throws(StoreFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = try Self.uninterrupted { pread(descriptor, &bytes, count, off_t(offset)) }
        // No copy is made, which whoever wipes what they got could not wipe.
        bytes.removeLast(count - read)
        return bytes
    }

    /// Ends the file at `offset`, writes there, and returns when it is on the disk.
    func write(_ bytes: [UInt8], endingAt offset: Int) throws(StoreFailure) {
        try Self.check(ftruncate(descriptor, off_t(offset)))
        try write(bytes, at: offset)
        try synchronise()
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(StoreFailure) {
        try write(bytes.span, at: offset)
    }

    /// Writes all of it, in as many parts as the system takes.
    func write(_ bytes: Span<UInt8>, at offset: Int) throws(StoreFailure) {
        try bytes.withUnsafeBytes { bytes throws(StoreFailure) in
            var written = 0
            while written < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
                let count = try Self.uninterrupted {
                    pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset + written))
                }
                guard count > 0 else { throw StoreFailure(systemError: EIO) }
                written += count
            }
        }
    }

    /// Calls the system again where a signal came between; gives what it gave.
    static func uninterrupted<Answer: SignedInteger>(
        _ call: () -> Answer
    ) throws(StoreFailure) -> Answer {
        while true {
            let answer = call()
            guard answer < 0 else { return answer }
            guard errno == EINTR else { throw StoreFailure(systemError: errno) }
        }
    }

    func synchronise() throws(StoreFailure) { try Self.check(fsync(descriptor)) }

    /// Makes a new name durable.
    static func synchroniseFolder(of path: String) throws(StoreFailure) {
        try openFolder(of: path).synchronise()
    }

    static func openFolder(of path: String) throws(StoreFailure) -> PrivateFile {
        let descriptor = Glibc.open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try check(descriptor)
        return PrivateFile(takingOver: descriptor)
    }

    /// Keeps other processes that ask for the same out until `body` is done.
    func locked<Result>(
        _ body: () throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        _ = try Self.uninterrupted { flock(descriptor, LOCK_EX) }
        defer { flock(descriptor, LOCK_UN) }
        return try body()
    }
}
