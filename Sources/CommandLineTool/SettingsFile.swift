import Glibc

/// A file that tells a program what to do: whoever may change it may change that.
package struct SettingsFile {
    private static let maximumBytes = 64 << 10

    private let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// Nil where there is none; refuses a file that somebody else may write to.
    package func contents() throws(CommandFailure) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else {
            let exitCode: ExitCode = [EACCES, EPERM].contains(errno) ? .noPermission : .noInput
            throw CommandFailure(exitCode, "cannot open \(path): \(reason)")
        }
        defer { close(descriptor) }
        try check(descriptor)
        var bytes = [UInt8](repeating: 0, count: Self.maximumBytes + 1)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else {
            throw CommandFailure(.inputOutput, "cannot read \(path): \(reason)")
        }
        guard count <= Self.maximumBytes else {
            throw CommandFailure(.malformedInput, "\(path) is no configuration: it is too large")
        }
        return Array(bytes.prefix(count))
    }

    private func check(_ descriptor: Int32) throws(CommandFailure) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.noInput, "\(path) is no file")
        }
        let isOurs = status.st_uid == geteuid() || status.st_uid == 0
        guard isOurs, status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            throw CommandFailure(
                .noPermission,
                "\(path) can be changed by others",
                hint: "let it be yours or root's, and its owner's alone to write to: chmod 600"
            )
        }
    }

    private var reason: String { String(cString: strerror(errno)) }
}
