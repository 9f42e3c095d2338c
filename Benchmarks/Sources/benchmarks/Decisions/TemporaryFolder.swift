import FoundationEssentials

/// A folder of our own, gone with the value that made it.
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

    /// One that another process made.
    init(of other: String) {
        path = other
        isOurs = false
    }

    deinit {
        // What is left behind is in a folder for what may be left behind.
        if isOurs { try? FileManager.default.removeItem(atPath: path) }
    }
}
