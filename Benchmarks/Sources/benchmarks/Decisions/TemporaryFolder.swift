import FoundationEssentials

/// A folder that is deleted with the value that created it.
final class TemporaryFolder: Sendable {
    let path: String
    private let isOurs: Bool

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "countersign-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        path = folder.path
        isOurs = true
    }

    /// A folder that another process created, and deletes.
    init(of other: String) {
        path = other
        isOurs = false
    }

    deinit {
        // A failure may be ignored: the system deletes old temporary files.
        if isOurs { try? FileManager.default.removeItem(atPath: path) }
    }
}
