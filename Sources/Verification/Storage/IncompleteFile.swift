import CLinux
import Glibc

/// A new file of ours under another name, until it is whole.
///
/// It takes its own name then, or stays unfinished: what has that name already is never written
/// over unless that is asked for, and a crash leaves nothing but a file that ends in `.incomplete`.
package final class IncompleteFile: Sendable {
    let file: PrivateFile
    private let path: String
    private let replaces: Bool
    /// Where it can be filled by somebody who opens it himself.
    let temporaryPath: String

    package convenience init(for path: String) throws(StoreFailure) {
        var status = stat()
        guard lstat(path, &status) != 0 else { throw .exists }
        try self.init(path, replaces: false)
    }

    /// One that takes the place of what has the name.
    package convenience init(replacing path: String) throws(StoreFailure) {
        try self.init(path, replaces: true)
    }

    private init(_ path: String, replaces: Bool) throws(StoreFailure) {
        let random = String(UInt64.random(in: .min ... .max), radix: 36)
        self.path = path
        self.replaces = replaces
        temporaryPath = "\(path).\(random).incomplete"
        file = try PrivateFile(creating: temporaryPath)
    }

    deinit {
        // Not there any more where it is finished.
        unlink(temporaryPath)
    }

    package func append(_ bytes: some Collection<UInt8>) throws(StoreFailure) {
        try file.write(Array(bytes), at: try file.byteCount)
    }

    /// Returns when the file is on the disk under its own name.
    package func finish() throws(StoreFailure) {
        try file.synchronise()
        let isNamed = replaces ? rename(temporaryPath, path) == 0 : takesFreeName()
        guard isNamed else { throw StoreFailure(systemError: errno) }
        try PrivateFile.synchroniseFolder(of: path)
    }

    /// Unlike `rename`, never takes the place of what somebody made meanwhile, and has one name at
    /// any time: a file with two would be refused, if a crash came between.
    private func takesFreeName() -> Bool {
        if countersign_rename_to_new(temporaryPath, path) == 0 { return true }
        // NFS knows no such renaming. What a crash can leave there is the second name.
        guard errno == EINVAL, link(temporaryPath, path) == 0 else { return false }
        unlink(temporaryPath)
        return true
    }
}
