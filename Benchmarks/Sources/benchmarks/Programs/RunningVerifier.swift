import Dispatch
import Glibc

/// `countersignd run` in its own process, which ends with this value.
final class RunningVerifier {
    let process: pid_t

    /// Returns when the verifier accepts connections.
    init(_ folder: VerifierFolder) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw BenchmarkFailure("no pipe: \(String(cString: strerror(errno)))")
        }
        let (log, end) = (ends[0], ends[1])
        process = try folder.command(["run"]).begin { actions in
            posix_spawn_file_actions_adddup2(&actions, end, STDERR_FILENO)
            for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
        }
        close(end)
        var start = ""
        while !start.contains("listening") {
            let more = Self.read(log)
            guard !more.isEmpty else {
                close(log)
                throw BenchmarkFailure("countersignd ended: \(start)")
            }
            start += more
        }
        // The log must be read to its end: a full pipe would block the verifier.
        DispatchQueue(label: "log").async {
            while !Self.read(log).isEmpty {}
            close(log)
        }
    }

    deinit {
        kill(process, SIGTERM)
        Program.waitForExit(of: process)
    }

    /// The next text, or nothing at the end of the log.
    private static func read(_ log: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(log, &bytes, bytes.count)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
}
