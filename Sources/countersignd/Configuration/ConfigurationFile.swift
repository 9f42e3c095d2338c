import CommandLineTool
import Glibc
import Verification

/// The file that tells where everything is: whoever may change it may change everything.
struct ConfigurationFile {
    private let path: String

    init(_ path: String) {
        self.path = path
    }

    func contents() throws(CommandFailure) -> [UInt8] {
        guard let contents = try SettingsFile(path).contents() else {
            throw CommandFailure(
                .noInput,
                "\(path) is not there",
                hint: "countersignd init makes it, or name another with --config"
            )
        }
        return contents
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
