import Glibc

/// Deletes the temporary files that a killed process left for a file: `NAME.RANDOM.incomplete`, and
/// SQLite's files for it.
///
/// A leftover can contain a part of a key.
package func removeLeftovers(of path: String) {
    let start = path.lastIndex(of: "/").map { path[...$0] } ?? ""
    let prefix = path.dropFirst(start.count) + "."
    // A folder that cannot be read is reported by the step that uses it: `try?`.
    let names = (try? ParentFolder(of: path).open().names()) ?? []
    for name in names where name.hasPrefix(prefix) {
        if leftoverEndings.contains(where: name.hasSuffix) { unlink(start + name) }
    }
}

private let leftoverEndings = ["", "-journal", "-wal", "-shm"].map { ".incomplete" + $0 }
