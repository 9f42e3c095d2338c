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
        case .unsafe(.notRegular):
            CommandFailure(
                .noInput,
                localized(
                    "\(path) is not a regular file",
                    german: "\(path) ist keine gewöhnliche Datei"
                )
            )
        case .unsafe(.folderOpenToOthers):
            CommandFailure(
                .noPermission,
                localized(
                    "other users can replace \(path)",
                    german: "andere Benutzer können \(path) ersetzen"
                ),
                hint: localized(
                    "make yourself or root the owner of its folder, and run chmod go-w on it",
                    german:
                        "der Ordner muss Ihnen oder root gehören; führen Sie darauf chmod go-w aus"
                )
            )
        case .unsafe:
            CommandFailure(
                .noPermission,
                localized(
                    "other users can change \(path)",
                    german: "andere Benutzer können \(path) ändern"
                )
            )
            .suggesting(
                localized(
                    "make yourself or root the owner, and run chmod 600 \(path)",
                    german:
                        "die Datei muss Ihnen oder root gehören; führen Sie chmod 600 \(path) aus"
                )
            )
        case .tooLarge:
            CommandFailure(
                .malformedInput,
                localized("\(path) is larger than 64 KiB", german: "\(path) ist größer als 64 KiB")
            )
        default: .cannotRead(path, failure)
        }
    }
}
