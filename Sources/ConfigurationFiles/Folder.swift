package import CommandLineTool
import Glibc

/// The folder of a file, with its slash; empty for the current folder.
package func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
}

/// Creates the folder of a file, for its owner only, if it does not exist.
package func makeFolder(of path: String) throws(CommandFailure) {
    let folder = folder(of: path)
    guard !folder.isEmpty, mkdir(folder, S_IRWXU) != 0 else { return }
    guard errno != EEXIST else { return }
    let reason = String(cString: strerror(errno))
    throw CommandFailure(.cannotCreate, "cannot create the folder \(folder): \(reason)")
        .suggesting("its parent folder must exist, and you must be able to write to it")
}
