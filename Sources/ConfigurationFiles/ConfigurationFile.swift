package import CommandLineTool
import Glibc
package import PrivateFiles

/// The configuration file.
///
/// Only its owner may write to it: it decides which keys and which store are used.
package struct ConfigurationFile {
    private let path: String
    private let table: ConfigurationTable

    package init(_ path: String, of table: ConfigurationTable) {
        self.path = path
        self.table = table
    }

    func contents() throws(CommandFailure) -> [UInt8] {
        guard let contents = try SettingsFile(path).contents() else {
            throw CommandFailure(.noInput, "the configuration \(path) does not exist")
                .suggesting(
                    "create it with \(table.program) init, or name another file with --config"
                )
        }
        return contents
    }

    /// Keeps a second `init` from deleting the temporary files of the first.
    ///
    /// The lock ends with the descriptor. Returns nil for a file that cannot be opened: its reader
    /// reports it.
    package func lockForInitialization() throws(CommandFailure) -> FileDescriptor? {
        let number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard number >= 0 else { return nil }
        let file = try onNewFile(path, try FileDescriptor(number))
        guard try onNewFile(path, try file.tryLock(.exclusive)) else {
            throw CommandFailure(.tryLater, "another \(table.program) init is running with \(path)")
                .suggesting("wait until it ends")
        }
        removeLeftovers(of: path)
        return file
    }

    /// Creates the file of `init` and its folder; returns false if the file exists.
    package func create() throws(CommandFailure) -> Bool {
        guard access(path, F_OK) != 0 else { return false }
        try makeFolder(of: path)
        let text = InitialFile(of: table, in: realFolder).text
        do throws(FileFailure) {
            let file = try IncompleteFile(for: path)
            try file.append(text.utf8.span)
            try file.finish()
            return true
        } catch {
            throw CommandFailure(error, creating: path)
        }
    }

    /// The absolute path without links; empty for a folder that cannot be used anyway.
    private var realFolder: String {
        let folder = folder(of: path)
        guard let real = realpath(folder.isEmpty ? "." : folder, nil) else { return "" }
        defer { free(real) }
        return String(cString: real)
    }
}
