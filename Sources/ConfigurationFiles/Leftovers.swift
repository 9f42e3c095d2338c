import Glibc
import PrivateFiles

/// Deletes the temporary files that a killed process left for a file: `NAME.RANDOM.incomplete`, and
/// SQLite's files for it.
///
/// A leftover can contain a part of a key.
package func removeLeftovers(of path: String) {
    let folder = folder(of: path)
    let prefix = path.dropFirst(folder.count) + "."
    // A folder that cannot be read is reported by the step that uses it: `try?`.
    let names = (try? ParentFolder(of: path).open().names()) ?? []
    for name in names where name.hasPrefix(prefix) {
        if leftoverEndings.contains(where: name.hasSuffix) { unlink(folder + name) }
    }
}

private let leftoverEndings = ["", "-journal", "-wal", "-shm"].map { ".incomplete" + $0 }
