import Glibc

/// Deletes the temporary files that killed processes left for a file: `NAME.RANDOM.incomplete`, and
/// SQLite's files for it.
///
/// A leftover can contain a part of a key.
package func removeLeftovers(of path: String) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    // A folder that cannot be read is reported by the step that uses it: `try?`.
    try? ParentFolder(of: path).removeLeftovers(
        prefix: name + ".",
        suffixes: ["-journal", "-wal", "-shm"]
    )
}

extension ParentFolder {
    /// Deletes all incomplete files with this prefix, also with one of `suffixes` at the end.
    ///
    /// A file of another owner or kind is not a leftover.
    func removeLeftovers(prefix: String, suffixes: [String]) throws(FileFailure) {
        let folder = try open()
        for name in try open().names() {
            guard
                ([""] + suffixes).contains(where: { suffix in
                    IncompleteFile.isTemporary(name, prefix, suffix: suffix)
                }),
                // `try?`: what cannot be checked stays.
                (try? FileStatus(of: name, in: folder)?.check(.file)) != nil
            else { continue }
            unlinkat(folder.number, name, 0)
        }
    }
}
