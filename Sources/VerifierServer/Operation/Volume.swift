import Glibc

/// Something that the verifier writes to, and how much more of it there is room for.
package struct Volume: Sendable {
    /// What is enough until whoever deals out requests has asked again, some seconds later, and then
    /// for what was dealt out already.
    ///
    /// A busy verifier writes some megabytes a second, and SQLite takes over what its log holds.
    static let minimumBytes = 64 << 20

    /// Of what lies there.
    let name: String
    private let path: String

    package init(of name: String, holding path: String) {
        self.name = name
        self.path = path
    }

    /// What a program without privileges may write there; nil where nobody says.
    package var freeBytes: Int? {
        guard let status else { return nil }
        let (bytes, isHuge) = UInt64(status.f_bavail).multipliedReportingOverflow(
            by: UInt64(status.f_frsize)
        )
        return isHuge ? .max : Int(clamping: bytes)
    }

    /// How many more files there is room for; nil where nobody says, as where there is no end.
    package var freeFiles: Int? {
        guard let status, status.f_files > 0 else { return nil }
        return Int(clamping: status.f_favail)
    }

    private var status: statvfs? {
        var status = statvfs()
        return statvfs(path, &status) == 0 ? status : nil
    }

    /// Where nobody says, there may be none.
    var isNearlyFull: Bool { (freeBytes ?? 0) < Self.minimumBytes }
}
