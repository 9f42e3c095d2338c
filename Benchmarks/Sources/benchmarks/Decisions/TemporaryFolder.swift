import FoundationEssentials

/// A folder of our own, gone with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "countersign-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        path = folder.path
    }

    deinit {
        // What is left behind is in a folder for what may be left behind.
        try? FileManager.default.removeItem(atPath: path)
    }
}
