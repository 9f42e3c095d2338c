import Dispatch
import Glibc

/// A server in its own process, which ends with this value.
final class RunningServer {
    let process: pid_t

    /// `countersignd run`; returns when it accepts connections.
    convenience init(_ folder: VerifierFolder) throws {
        try self.init(folder.command(["run"]), logging: "listening")
    }

    /// Returns when the log has this text.
    init(_ command: Program, logging text: String) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else {
            throw BenchmarkFailure("no pipe: \(String(cString: strerror(errno)))")
        }
        let (log, end) = (ends[0], ends[1])
        process = try command.begin { actions in
            posix_spawn_file_actions_adddup2(&actions, end, STDERR_FILENO)
            for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
        }
        close(end)
        var start = ""
        while !start.contains(text) {
            let more = Self.read(log)
            guard !more.isEmpty else {
                close(log)
                throw BenchmarkFailure("\(command.words[0]) ended: \(start)")
            }
            start += more
        }
        // The log must be read to its end: a full pipe would block the server.
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
