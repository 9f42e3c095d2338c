import Glibc

/// The incomplete files of one purpose in a folder, which several processes may make at once.
///
/// A killed process leaves its files. The next one removes them, unless another process makes a
/// file at that moment. Each process holds a lock of the folder, which ends with the process.
package struct IncompleteFiles: ~Copyable, Sendable {
    private let folder: FileDescriptor
    private let prefix: String

    /// Removes what killed processes left: `.PURPOSE.RANDOM.incomplete`, also with one of `suffixes`.
    package init(
        of purpose: String,
        in parent: ParentFolder,
        suffixes: [String]
    ) throws(FileFailure) {
        let folder = try parent.open()
        let prefix = "\(parent.path).\(purpose)."
        // NFS does not lock folders exclusively. Then leftovers stay, and nothing is lost: `try?`.
        if (try? folder.tryLock(.exclusive)) == true {
            try Self.removeLeftovers(with: prefix, in: parent, suffixes: [""] + suffixes)
        }
        // Waits while another process removes leftovers. It fails only if no process can: `try?`.
        try? folder.lockShared()
        self.folder = folder
        self.prefix = prefix
    }

    package borrowing func make(for path: String) throws(FileFailure) -> IncompleteFile {
        try IncompleteFile(for: path, prefix: prefix)
    }

    private static func removeLeftovers(
        with prefix: String,
        in parent: ParentFolder,
        suffixes: [String]
    ) throws(FileFailure) {
        for name in try parent.open().names() {
            let path = parent.path + name
            guard
                suffixes.contains(where: { IncompleteFile.isTemporary(path, prefix, suffix: $0) }),
                // A file of another owner or kind is not a leftover: `try?`.
                (try? FileStatus(at: path)?.check(.file)) != nil
            else { continue }
            unlink(path)
        }
    }
}
