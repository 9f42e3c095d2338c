import Foundation

/// The changes of the disk, in their order, up to the next line of output.
///
/// A kill loses no write, because the kernel has it. Only the order shows what a power loss would
/// lose.
enum DiskOrder {
    private static let lock = NSLock()
    // Only touched while `lock` is held.
    private nonisolated(unsafe) static var steps: [String]?

    static func begin() {
        lock.withLock { steps = [] }
    }

    /// Notes a call for an open file, or for a name in an open folder.
    static func note(_ call: String, _ file: CInt, _ name: UnsafePointer<CChar>? = nil) {
        lock.withLock {
            guard steps != nil else { return }
            let link = "/proc/self/fd/\(file)"
            // Pipes and events have no path: `try?`.
            guard
                let path = try? FileManager.default.destinationOfSymbolicLink(atPath: link),
                path.hasPrefix("/")
            else { return }
            let inFolder = name.map { "/" + String(cString: $0) } ?? ""
            steps?.append("\(call) \(path)\(inFolder)")
        }
    }

    /// Writes the steps so far, one a line, and that a line of output follows.
    static func end(by write: (String) -> Void) {
        let noted = lock.withLock {
            defer { if steps != nil { steps = [] } }
            return steps.map { $0 + ["output"] } ?? []
        }
        for step in noted { write("disk: \(step)\n") }
    }
}
