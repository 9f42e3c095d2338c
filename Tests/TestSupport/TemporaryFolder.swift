import Foundation

/// A folder of its own for one test, gone with the value.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "countersign-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        // Nothing depends on it: the system clears its temporary folder too.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Gives the path of the file that it wrote.
    package func write(_ text: String, to name: String) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}
