import Glibc
import PrivateFiles

/// A configuration file.
///
/// Only the user and root may be able to change or replace it: it names trusted keys and programs.
package struct SettingsFile {
    private static let maximumByteCount = 64 << 10

    private let path: String

    package init(_ path: String) {
        self.path = path
    }

    /// Nil if the file does not exist; rejects a file that other users can change or replace.
    package func contents() throws(CommandFailure) -> [UInt8]? {
        let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if number < 0, errno == ENOENT { return nil }
        guard number >= 0 else { throw .cannotOpen(path) }
        do throws(FileFailure) {
            let file = try FileDescriptor(number)
            try FileStatus(of: file).checkOnlyTrustedUsersMayWrite()
            try ParentFolder(of: path).check()
            return try file.contents(atMost: Self.maximumByteCount)
        } catch {
            throw failure(error)
        }
    }

    private func failure(_ failure: FileFailure) -> CommandFailure {
        switch failure {
        case .unsafe(.notRegular): CommandFailure(.noInput, "\(path) is not a regular file")
        case .unsafe(.folderOpenToOthers):
            CommandFailure(
                .noPermission,
                "other users can replace \(path)",
                hint: "make yourself or root the owner of its folder, and run chmod go-w on it"
            )
        case .unsafe:
            CommandFailure(.noPermission, "other users can change \(path)")
                .suggesting("make yourself or root the owner, and run chmod 600 \(path)")
        case .tooLarge: CommandFailure(.malformedInput, "\(path) is larger than 64 KiB")
        default: CommandFailure(.inputOutput, "cannot read \(path): \(failure)")
        }
    }
}
