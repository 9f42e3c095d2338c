import Foundation

/// A folder for one test, which is removed with the value or when the process ends.
package final class TemporaryFolder: Sendable {
    package let path: String

    /// `inMemory` is faster for thousands of files, if the machine has enough memory.
    package init(inMemory: Bool = false) throws {
        let roots = try TemporaryRoots.ofThisProcess.get()
        let root = inMemory ? roots.memory ?? roots.disk : roots.disk
        path = root + "/" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        // Otherwise the folder is removed at the end of the process.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// With copies of all files of another folder: some files are made once for many tests.
    package convenience init(copying other: TemporaryFolder) throws {
        try self.init()
        try copyFiles(to: path, from: other)
    }

    /// Returns the path of the written file.
    package func write(_ text: String, to name: String) throws -> String {
        let file = path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}

/// Copies all files of a folder, with their permissions.
package func copyFiles(to path: String, from folder: TemporaryFolder) throws {
    let run = try FinishedProcess.run("cp", ["-pr", folder.path + "/.", path])
    guard run.exitCode == 0 else { throw Uncopied(output: run.errorOutput) }
}

private struct Uncopied: Error {
    let output: String
}

/// The parents of all temporary folders of this process.
///
/// A shell removes them after the process ended, even by SIGKILL, because then its standard input
/// ends. It ignores the signals of a terminal or a shutdown.
private struct TemporaryRoots: Sendable {
    let disk: String
    let memory: String?
    /// The kernel closes it with the process.
    private let end: FileHandle

    static let ofThisProcess = Result { try TemporaryRoots() }

    private init() throws {
        disk = try Self.makeRoot(in: NSTemporaryDirectory())
        memory = Self.hasMemory ? try Self.makeRoot(in: "/dev/shm/") : nil
        let input = Pipe.closedOnExec()
        end = input.fileHandleForWriting
        let remover = Process()
        remover.executableURL = URL(filePath: "/bin/sh")
        // A child of the dead process may still write, so a second attempt follows.
        let script = #"trap '' HUP INT TERM; cat; rm -rf "$@" || { sleep 5; rm -rf "$@"; }"#
        remover.arguments = ["-c", script, "sh", disk] + (memory.map { [$0] } ?? [])
        remover.currentDirectoryURL = URL(filePath: "/")
        remover.standardInput = input.fileHandleForReading
        remover.standardOutput = FileHandle.nullDevice
        remover.standardError = FileHandle.nullDevice
        try remover.start()
        try input.fileHandleForReading.close()
        // The shell would remove them too, but after the end of the process.
        atexit {
            guard let roots = try? TemporaryRoots.ofThisProcess.get() else { return }
            for path in [roots.disk, roots.memory].compactMap({ $0 }) {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
    }

    /// Other users may enter, because PostgreSQL does not run as root; they cannot list it.
    private static func makeRoot(in parent: String) throws -> String {
        var template = Array((parent + "countersign-tests-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw OwnedDescriptor.Failure() }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        guard chmod(path, 0o711) == 0 else { throw OwnedDescriptor.Failure() }
        return path
    }

    private static var hasMemory: Bool {
        var status = statvfs()
        return statvfs("/dev/shm", &status) == 0
            && UInt64(status.f_bavail) * UInt64(status.f_frsize) >= 8 << 30
    }
}
