import Glibc

/// Deletes the temporary files that a killed process left for a file: `NAME.RANDOM.incomplete`, and
/// SQLite's files for it.
///
/// A leftover can contain a part of a key.
func removeLeftovers(of path: String) {
    let folder = folder(of: path)
    let prefix = path.dropFirst(folder.count) + "."
    guard let directory = opendir(folder.isEmpty ? "." : folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                String(cString: $0)
            }
        }
        let isLeftover = leftoverEndings.contains(where: name.hasSuffix)
        if isLeftover, name.hasPrefix(prefix) { unlink(folder + name) }
    }
}

private let leftoverEndings = ["", "-journal", "-wal", "-shm"].map { ".incomplete" + $0 }
