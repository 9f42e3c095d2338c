import Dispatch
import Glibc

/// `countersignd run` in its own process, which ends with this value.
final class RunningVerifier {
    let process: pid_t

    /// Returns when the verifier accepts connections.
    init(_ folder: VerifierFolder) throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0, let log = fdopen(ends[0], "r") else {
            throw BenchmarkFailure("no pipe: \(String(cString: strerror(errno)))")
        }
        process = try folder.command(["run"]).begin { actions in
            posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
            for end in ends { posix_spawn_file_actions_addclose(&actions, end) }
        }
        close(ends[1])
        var lines: [String] = []
        while let line = Self.nextLine(of: log) {
            lines.append(line)
            if line.contains("listening") { break }
        }
        guard lines.last?.contains("listening") == true else {
            fclose(log)
            throw BenchmarkFailure("countersignd ended: \(lines.joined())")
        }
        // The log must be read to its end: a full pipe would block the verifier.
        let rest = UncheckedLog(log: log)
        DispatchQueue(label: "log").async {
            while Self.nextLine(of: rest.log) != nil {}
            fclose(rest.log)
        }
    }

    deinit {
        kill(process, SIGTERM)
        Program.waitForExit(of: process)
    }

    /// Returns nil at the end of the log.
    private static func nextLine(of log: UnsafeMutablePointer<FILE>) -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        guard getline(&line, &capacity, log) > 0, let line else { return nil }
        return String(cString: line)
    }

    /// `@unchecked`: only the reading queue uses it.
    private struct UncheckedLog: @unchecked Sendable {
        let log: UnsafeMutablePointer<FILE>
    }
}
