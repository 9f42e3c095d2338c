import Glibc

/// A file or folder that belongs to another user than root.
///
/// Root can use it all the same, but files that root adds are useless to the owner.
package struct ForeignFile: Sendable {
    package let path: String
    /// The name of the user, or # and the number of a user without a name, as for sudo(8).
    package let owner: String

    /// The first of these files that belongs to another user, or its folder; nil unless this process
    /// is root's.
    package static func first(among paths: [String]) -> ForeignFile? {
        guard geteuid() == 0 else { return nil }
        for path in paths {
            if let file = foreign(path, atPath: FileStatus.init(at:)) { return file }
            var folder = ParentFolder(of: path).path
            while access(folder, F_OK) != 0, folder != "./", folder != "/" {
                folder = ParentFolder(of: String(folder.dropLast())).path
            }
            if let folder = foreign(folder, atPath: FileStatus.init(followingLinkAt:)) {
                return folder
            }
        }
        return nil
    }

    private static func foreign(
        _ path: String,
        atPath status: (String) throws(FileFailure) -> FileStatus?
    ) -> ForeignFile? {
        // The step that uses the file reports why it cannot be examined: `try?`.
        guard let owner = (try? status(path))?.owner, owner != 0 else { return nil }
        return ForeignFile(path: path, owner: userName(of: owner))
    }
}

private func userName(of user: uid_t) -> String {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer in
        guard
            let start = buffer.baseAddress,
            getpwuid_r(user, &entry, start, buffer.count, &found) == 0, found != nil,
            let name = entry.pw_name
        else { return "#\(user)" }
        return String(cString: name)
    }
}
