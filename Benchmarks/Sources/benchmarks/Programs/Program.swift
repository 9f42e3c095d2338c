import FoundationEssentials
import Glibc

/// A program that runs in another process.
struct Program {
    let words: [String]
    /// Environment variables in addition to the variables of this process.
    var environment: [String: String] = [:]
    /// The file that the program gets as descriptor 3.
    var secretsFile: String?

    /// Runs a program to its end and returns its output.
    @discardableResult
    static func run(_ path: String, _ arguments: [String]) throws -> String {
        try Program(words: [path] + arguments).run().output
    }

    /// Runs the program to its end; throws if its exit code is not `status`.
    @discardableResult
    func run(expecting status: Int32 = 0) throws -> (output: String, duration: Duration) {
        let folder = try TemporaryFolder()
        let file = folder.path + "/output"
        let start = ContinuousClock.now
        let process = try begin { actions in
            let flags = O_CREAT | O_TRUNC | O_WRONLY
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, file, flags, 0o600)
            posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        }
        let exitCode = Self.waitForExit(of: process)
        let duration = ContinuousClock.now - start
        let output = try String(contentsOfFile: file, encoding: .utf8)
        guard exitCode == status else {
            throw BenchmarkFailure(
                "\(words.joined(separator: " ")) ended with \(exitCode): \(output)"
            )
        }
        return (output, duration)
    }

    /// Starts the program; `prepare` sets its descriptors.
    func begin(_ prepare: (inout posix_spawn_file_actions_t) -> Void) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        prepare(&actions)
        if let secretsFile {
            posix_spawn_file_actions_addopen(&actions, 3, secretsFile, O_RDONLY, 0)
        }
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let texts = variables.map { strdup("\($0)=\($1)") } + [nil]
        let arguments = words.map { strdup($0) } + [nil]
        defer { for text in texts + arguments { free(text) } }
        var process: pid_t = 0
        let error = posix_spawnp(&process, words[0], &actions, nil, arguments, texts)
        guard error == 0 else {
            throw BenchmarkFailure("\(words[0]): \(String(cString: strerror(error)))")
        }
        return process
    }

    /// Returns the exit code, or -1 after a signal.
    @discardableResult
    static func waitForExit(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status & 0x7f == 0 ? status >> 8 & 0xff : -1
    }
}
