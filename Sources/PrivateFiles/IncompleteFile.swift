import CLinux
import Glibc

/// A new private file under a temporary name, until it is complete.
///
/// `finish` gives the file its final name. An existing file is replaced only by `init(replacing:)`.
/// A crash leaves at most a file whose name ends in `.incomplete`.
package final class IncompleteFile: Sendable {
    package let file: PrivateFile
    private let path: String
    private let replaces: Bool
    /// For code that opens the file itself to fill it.
    package let temporaryPath: String

    package convenience init(for path: String) throws(FileFailure) {
        var status = stat()
        guard lstat(path, &status) != 0 else { throw .exists }
        try self.init(path, prefix: path + ".", replaces: false)
    }

    package convenience init(replacing path: String) throws(FileFailure) {
        try self.init(path, prefix: path + ".", replaces: true)
    }

    /// With another temporary name than `PATH.RANDOM.incomplete`.
    convenience init(for path: String, prefix: String) throws(FileFailure) {
        try self.init(path, prefix: prefix, replaces: false)
    }

    private init(_ path: String, prefix: String, replaces: Bool) throws(FileFailure) {
        self.path = path
        self.replaces = replaces
        temporaryPath = prefix + String(UInt64.random(in: .min ... .max), radix: 36) + Self.ending
        file = try PrivateFile(creating: temporaryPath)
    }

    private static let ending = ".incomplete"

    /// Whether it is the temporary name of such a file, with `suffix` added.
    static func isTemporary(_ name: String, _ prefix: String, suffix: String) -> Bool {
        guard name.hasPrefix(prefix), name.hasSuffix(ending + suffix) else { return false }
        let random = name.dropFirst(prefix.count).dropLast((ending + suffix).count)
        return UInt64(random, radix: 36).map { String($0, radix: 36) } == String(random)
    }

    deinit {
        // Fails if the file was finished.
        unlink(temporaryPath)
    }

    package func append(_ bytes: Span<UInt8>) throws(FileFailure) {
        try file.descriptor.write(bytes, at: file.descriptor.byteCount())
    }

    /// Returns when the file is on the disk under its own name.
    package func finish() throws(FileFailure) {
        try file.descriptor.synchronise()
        let isNamed = replaces ? rename(temporaryPath, path) == 0 : takesFreeName()
        guard isNamed else { throw .last() }
        try ParentFolder(of: path).synchronise()
    }

    /// Renames without replacing a file that another program created in the meantime.
    ///
    /// The file has one name at any time: after a crash, a file with two names would be refused.
    private func takesFreeName() -> Bool {
        if countersign_rename_to_new(temporaryPath, path) == 0 { return true }
        // NFS does not support this kind of renaming; there a crash can leave the second name.
        guard errno == EINVAL, link(temporaryPath, path) == 0 else { return false }
        unlink(temporaryPath)
        return true
    }
}
