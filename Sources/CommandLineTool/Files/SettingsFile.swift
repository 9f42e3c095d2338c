import Glibc

/// A configuration file.
///
/// Only the user and root may be able to change it.
package struct SettingsFile {
    private static let maximumByteCount = 64 << 10

    private let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// Nil if the file does not exist; rejects a file that other users can write to.
    package func contents() throws(CommandFailure) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else {
            let exitCode: ExitCode = [EACCES, EPERM].contains(errno) ? .noPermission : .noInput
            throw CommandFailure(exitCode, "cannot open \(path): \(reason)")
        }
        defer { close(descriptor) }
        try check(descriptor)
        var bytes = [UInt8](repeating: 0, count: Self.maximumByteCount + 1)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else {
            throw CommandFailure(.inputOutput, "cannot read \(path): \(reason)")
        }
        guard count <= Self.maximumByteCount else {
            throw CommandFailure(.malformedInput, "\(path) is larger than 64 KiB")
        }
        return Array(bytes.prefix(count))
    }

    private func check(_ descriptor: Int32) throws(CommandFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.noInput, "\(path) is not a regular file")
        }
        let isOurs = status.st_uid == geteuid() || status.st_uid == 0
        guard isOurs, status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw CommandFailure(
                .noPermission,
                "other users can change \(path)",
                hint: "make yourself or root the owner, and run chmod 600 \(path)"
            )
        }
    }

    private var reason: String { String(cString: strerror(errno)) }
}
