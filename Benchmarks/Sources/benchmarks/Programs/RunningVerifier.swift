import Dispatch
import Glibc

/// `countersignd run` in its own process, which ends with this value.
final class RunningVerifier {
    let process: pid_t

    /// Returns when the verifier accepts connections.
    init(_ folder: VerifierFolder) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Failure() }
        let (log, end) = (ends[0], ends[1])
        process = try folder.command(["run"]).begin { actions in
            posix_spawn_file_actions_adddup2(&actions, end, STDERR_FILENO)
            for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
        }
        close(end)
        guard Self.read(log, until: "listening") else { throw Failure() }
        // The log must be read to its end: a full pipe would block the verifier.
        DispatchQueue(label: "log").async {
            _ = Self.read(log, until: nil)
            close(log)
        }
    }

    deinit {
        kill(process, SIGTERM)
        Program.waitForExit(of: process)
    }

    /// Returns false if the log ends before the word.
    private static func read(_ log: Int32, until word: String?) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(log, &bytes, bytes.count)
            guard count > 0 else { return false }
            let text = String(decoding: bytes[..<count], as: UTF8.self)
            if let word, text.contains(word) { return true }
        }
    }

    /// The verifier ended before it accepted connections.
    private struct Failure: Error {}
}
