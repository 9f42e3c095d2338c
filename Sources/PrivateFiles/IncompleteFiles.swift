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
        let prefix = ".\(purpose)."
        // NFS does not lock folders exclusively. Then leftovers stay, and nothing is lost: `try?`.
        if (try? folder.tryLock(.exclusive)) == true {
            try parent.removeLeftovers(prefix: prefix, suffixes: suffixes)
        }
        do throws(FileFailure) {
            // Waits while another process removes leftovers.
            try folder.lock(.shared)
        } catch {
            // Another failure means that no process can lock the folder.
            guard error != .locked else { throw error }
        }
        self.folder = folder
        self.prefix = parent.path + prefix
    }

    package borrowing func make(for path: String) throws(FileFailure) -> IncompleteFile {
        try IncompleteFile(for: path, prefix: prefix)
    }
}
