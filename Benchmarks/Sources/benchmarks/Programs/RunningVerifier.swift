import Dispatch
import Glibc

/// `countersignd run` in a process of its own, which ends with this value.
final class RunningVerifier {
    let process: pid_t

    /// Returns when it serves.
    init(_ folder: VerifierFolder) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure() }
        let (log, end) = (ends[0], ends[1])
        process = try folder.command(["run"]).begin { actions in
            posix_spawn_file_actions_adddup2(&actions, end, STDERR_FILENO)
            for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
        }
        close(end)
        guard Self.hear(log, until: "listening") else { throw Failure() }
        // What it says is taken, as long as it says anything.
        DispatchQueue(label: "log").async {
            _ = Self.hear(log, until: nil)
            close(log)
        }
    }

    deinit {
        kill(process, SIGTERM)
        Program.end(of: process)
    }

    /// False where it ends before that.
    private static func hear(_ log: Int32, until word: String?) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(log, &bytes, bytes.count)
            guard count > 0 else { return false }
            let said = String(decoding: bytes[..<count], as: UTF8.self)
            if let word, said.contains(word) { return true }
        }
    }

    /// It ended before it served.
    private struct Failure: Error {}
}
