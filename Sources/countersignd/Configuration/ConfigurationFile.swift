import CommandLineTool
import Glibc
import Verifier

/// The file that tells where everything is: whoever may change it may change everything.
struct ConfigurationFile {
    private static let mostBytes = 64 << 10

    private let path: String

    init(_ path: String) {
        self.path = path
    }

    /// Refuses a file that somebody else may write to.
    func contents() throws(CommandFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw openFailure(errno) }
        defer { close(descriptor) }
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
        var bytes = [UInt8](repeating: 0, count: Self.mostBytes + 1)
        let count = read(descriptor, &bytes, bytes.count)
        guard count >= 0 else {
            throw CommandFailure(
                .inputOutput,
                "cannot read \(path): \(String(cString: strerror(errno)))"
            )
        }
        guard count <= Self.mostBytes else {
            throw CommandFailure(.malformedInput, "\(path) is no configuration: it is too large")
        }
        return Array(bytes.prefix(count))
    }

    private func openFailure(_ number: Int32) -> CommandFailure {
        let message = "cannot open \(path): \(String(cString: strerror(number)))"
        return switch number {
        case ENOENT:
            CommandFailure(
                .noInput,
                message,
                hint: "countersignd init makes it, or name another with --config"
            )
        case EACCES, EPERM: CommandFailure(.noPermission, message)
        default: CommandFailure(.noInput, message)
        }
    }

    /// Makes the file of `init`, with its folder; false where there is one already.
    func create() throws(CommandFailure) -> Bool {
        guard access(path, F_OK) != 0 else { return false }
        try makeFolder(of: path)
        do throws(StoreFailure) {
            let file = try IncompleteFile(for: path)
            try file.append(Configuration.standardText.utf8)
            try file.finish()
            return true
        } catch {
            throw CommandFailure(error, of: .newFile(path))
        }
    }
}

/// Makes the folder of a file, for its owner alone, where it is not there.
func makeFolder(of path: String) throws(CommandFailure) {
    let folder = folder(of: path)
    guard !folder.isEmpty, mkdir(folder, S_IRWXU) != 0 else { return }
    guard errno != EEXIST else { return }
    let reason = String(cString: strerror(errno))
    throw CommandFailure(
        .cannotCreate,
        "cannot make the folder \(folder): \(reason)",
        hint: "the folder that it is to be in must be there, and yours to write to"
    )
}
