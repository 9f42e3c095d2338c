import Glibc

/// A file system that a server writes to, and its free space.
package struct Volume: Sendable {
    /// Below this the node is not ready.
    ///
    /// The rest must last until the load balancer notices, some seconds later: a busy node writes
    /// some megabytes a second.
    package static let minimumBytes = 64 << 20

    /// The name of the stored thing.
    package let name: String
    private let path: String

    package init(of name: String, holding path: String) {
        self.name = name
        self.path = path
    }

    /// The free space for unprivileged programs; nil if unknown.
    package var freeBytes: Int? {
        guard let status else { return nil }
        let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize)
        )
        return isHuge ? .max : Int(clamping: bytes)
    }

    /// The number of further files; nil if unknown or unlimited.
    package var freeFiles: Int? {
        guard let status, status.f_files > 0 else { return nil }
        return Int(clamping: status.f_favail)
    }

    private var status: statvfs? {
        var status = statvfs()
        return statvfs(path, &status) == 0 ? status : nil
    }

    /// The reason why the node is not ready; nil if there is enough space.
    ///
    /// Nothing is stored if the file or its folder is missing, so unknown space is a reason too.
    package var problem: String? {
        guard let freeBytes else { return "unavailable" }
        return freeBytes < Self.minimumBytes ? "nearlyFull" : nil
    }
}
