import Foundation

/// A folder of its own for one test, gone with the value, or with the process where that ends before.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// `inMemory` where there is plenty of it, for thousands of files that a disk is slow to take away.
    package init(inMemory: Bool = false) throws {
        let place = inMemory && Self.hasMemory ? "/dev/shm/" : NSTemporaryDirectory()
        path = place + "countersign-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        _ = Self.removal
        Self.lock.withLock { _ = Self.present.insert(path) }
    }

    /// Swift's own mutex does the same, but the thread sanitizer cannot follow it.
    private static let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) static var present: Set<String> = []

    /// What is kept for all tests is nobody's to take away but that of the process' end.
    private static let removal: Void = {
        atexit {
            for path in TemporaryFolder.lock.withLock({ TemporaryFolder.present }) {
                // The system clears its temporary folder too.
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }()

    private static let hasMemory: Bool = {
        var status = statvfs()
        return statvfs("/dev/shm", &status) == 0
            && UInt64(status.f_bavail) * UInt64(status.f_frsize) >= 8 << 30
    }()

    deinit {
        Self.lock.withLock { _ = Self.present.remove(path) }
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
