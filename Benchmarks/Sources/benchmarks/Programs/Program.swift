import FoundationEssentials
import Glibc

/// A program that is run beside this one.
struct Program {
    let words: [String]
    /// What it gets beside the variables of this process.
    var environment: [String: String] = [:]
    /// The file that it gets open as descriptor 3.
    var secretsFile: String?

    /// Runs it to its end and gives all that it said.
    @discardableResult
    static func run(_ path: String, _ arguments: [String]) throws -> String {
        try Program(words: [path] + arguments).run().said
    }

    /// One that comes with a PostgreSQL server.
    @discardableResult
    static func ofPostgres(_ name: String, _ arguments: [String]) throws -> String {
        try run("/usr/lib/postgresql/15/bin/" + name, arguments)
    }

    /// Runs it to its end, which is to be this one, and tells how long it took from its start on.
    @discardableResult
    func run(expecting status: Int32 = 0) throws -> (said: String, duration: Duration) {
        let folder = try TemporaryFolder()
        let output = folder.path + "/output"
        let start = ContinuousClock.now
        let process = try begin { actions in
            let flags = O_CREAT | O_TRUNC | O_WRONLY
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, flags, 0o600)
            posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        }
        let ended = Self.end(of: process)
        let duration = ContinuousClock.now - start
        let said = try String(contentsOfFile: output, encoding: .utf8)
        guard ended == status else { throw Failure(program: words[0], said: said) }
        return (said, duration)
    }

    /// Begins it with what `prepare` says of its descriptors.
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
        guard posix_spawn(&process, words[0], &actions, nil, arguments, texts) == 0 else {
            throw Failure(program: words[0], said: "it cannot be run")
        }
        return process
    }

    /// Its exit code, where it had one.
    @discardableResult
    static func end(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        waitpid(process, &status, 0)
        return status & 0x7f == 0 ? status >> 8 & 0xff : -1
    }

    private struct Failure: Error {
        let program: String
        let said: String
    }
}
